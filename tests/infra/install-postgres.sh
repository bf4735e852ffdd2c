#!/usr/bin/env bash
# Installs Debian's PostgreSQL server for the tests where there is none. Needs root. The tests start servers of their own.
set -euo pipefail

if ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1; then
  echo "PostgreSQL is installed: $(ls -d /usr/lib/postgresql/*/ | tr '\n' ' ')"
  exit 0
fi
if [ "$(id -u)" != 0 ]; then
  echo "install-postgres.sh: needs root to run apt-get" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends postgresql
