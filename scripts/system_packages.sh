#!/usr/bin/env bash
# Install the browser, and a font for it, that the report's browser tests use. It is optional: without it they are
# skipped, so nothing here fails.
command -v chromium chromium-browser google-chrome >/dev/null && exit 0
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0
echo "system packages: installing chromium for the browser tests" >&2
export DEBIAN_FRONTEND=noninteractive
{ apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core; } >/dev/null 2>&1 ||
    echo "system packages: chromium could not be installed; the browser tests will be skipped" >&2
exit 0
