#!/usr/bin/env bash
# Installs Debian's Chromium for the tests of the dashboard where there is none. Needs root.
set -euo pipefail

if [ -x /usr/bin/chromium ]; then
  echo "Chromium is installed: $(/usr/bin/chromium --version --no-sandbox 2>/dev/null)"
  exit 0
fi
if [ "$(id -u)" != 0 ]; then
  echo "install-chromium.sh: needs root to run apt-get" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends chromium
