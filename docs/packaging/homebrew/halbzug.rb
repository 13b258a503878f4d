class Halbzug < Formula
  include Language::Python::Virtualenv

  desc "UCI chess engine based on python-chess"
  homepage "ADDRESS"
  url "ADDRESS/halbzug-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "GPL-3.0-or-later"

  depends_on "cython" => :build
  depends_on "python-setuptools" => :build
  depends_on "python@3.14"

  # `brew update-python-resources halbzug` writes here what these four need: their addresses and
  # checksums.
  # chess >=1.11,<2
  # click >=8.3.2,<9
  # markdown-it-py >=2.2,<5
  # rich >=13.7,<16

  def install
    ENV["HALBZUG_COMPILED"] = "require"
    virtualenv_install_with_resources
  end

  test do
    assert_match "110625", shell_output("#{bin}/halbzug bench --depth 5 --json")
    assert_match "uciok", pipe_output("#{bin}/halbzug", "uci\nquit\n")
  end
end
