"""What lectures need: trees drawn and searched step by step, quizzes, worksheets, engines."""
