# shellcheck shell=bash
# Installs tools of development in folders of their own. Source it after log.sh and stack.sh, with `here` set to deploy/dev.

# install_python_tool FOLDER REQUIREMENTS DESCRIPTION: installs the packages of a requirements file in a Python environment of
# its own, if the file changed.
install_python_tool() {
  local venv=$root/.run/$1 requirements=$here/$2
  if cmp -s "$requirements" "$venv/installed.txt"; then return; fi
  log_step "Installing $3"
  rm -rf "$venv"
  mkdir -p "$root/.run"
  /usr/bin/python3 -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$requirements"
  cp "$requirements" "$venv/installed.txt"
}

# Installs the npm packages of a folder if its lock file changed.
install_npm_packages() {
  local folder=$root/$1 stamp
  stamp=$folder/node_modules/.installed-lock.json
  if cmp -s "$folder/package-lock.json" "$stamp"; then return; fi
  log_step "Installing the npm packages of $1/"
  (cd "$folder" && npm ci --loglevel=error)
  cp "$folder/package-lock.json" "$stamp"
}
