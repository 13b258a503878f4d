"""Speed and scaling, measured side by side in one run."""
