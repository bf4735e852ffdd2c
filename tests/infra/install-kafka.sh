#!/usr/bin/env bash
# Fetches the jars of Apache Kafka for the tests, with Maven, where they are not yet. The tests start brokers of their own.
# Java 17 and Maven are Debian's; where they are missing this needs root.
set -euo pipefail
cd "$(dirname "$0")"

jars="${WEIR_KAFKA_JARS:-${XDG_CACHE_HOME:-$HOME/.cache}/weir/kafka-4.3.1}"
if ls "$jars"/kafka_2.13-*.jar >/dev/null 2>&1 && command -v java >/dev/null; then
  echo "Kafka is installed: $jars"
  exit 0
fi
if ! command -v java >/dev/null || ! command -v mvn >/dev/null; then
  if [ "$(id -u)" != 0 ]; then
    echo "install-kafka.sh: needs root to run apt-get" >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update
  apt-get install -y --no-install-recommends openjdk-17-jre-headless maven
fi
# Moved into its place when it is whole: an interrupted run leaves nothing that looks installed.
mkdir -p "$(dirname "$jars")"
fresh="$(mktemp -d "$(dirname "$jars")/kafka-jars-XXXXXX")"
trap 'rm -rf "$fresh"' EXIT
mvn --batch-mode --quiet --file kafka/pom.xml dependency:copy-dependencies -DoutputDirectory="$fresh" -DincludeScope=runtime
rm -rf "$jars"
mv "$fresh" "$jars"
echo "Kafka is installed: $jars"
