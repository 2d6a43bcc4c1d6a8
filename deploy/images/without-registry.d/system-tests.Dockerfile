FROM orderahead
COPY system-tests /usr/local/bin/
