FROM orderahead
COPY programs/system-tests /usr/local/bin/
