#!/usr/bin/env bash
# Keeps a released version for upgrade.test.ts: tests/operate/keep-previous.sh v1.2.0, right after a release.
# A file and not the history, because a shallow clone has none.
set -euo pipefail
git archive "$1" -- server contract package.json ':(exclude)*.test.ts' ':(exclude)server/testing' \
  ':(exclude)contract/openapi.json' | gzip -9n > "$(dirname "$0")/previous.tar.gz"
git ls-tree --name-only "$1" server/migrations/ | xargs -n1 basename > "$(dirname "$0")/previous-migrations.txt"
