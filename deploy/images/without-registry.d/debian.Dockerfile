FROM scratch
ADD debian.tar /
CMD ["bash"]
