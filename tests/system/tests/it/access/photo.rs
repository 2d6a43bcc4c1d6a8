//! A photo to upload.

/// A picture of 8 by 8 pixels.
const PNG: &[u8] = &[
    137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0, 75,
    109, 41, 220, 0, 0, 0, 17, 73, 68, 65, 84, 120, 218, 99, 56, 81, 97, 131, 21, 49, 12, 45, 9, 0, 65, 243,
    95, 1, 41, 42, 41, 173, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130,
];

/// Returns the content type and the body of a form with a photo.
pub(super) fn photo_form() -> (String, Vec<u8>) {
    let mut body = b"--photo\r\ncontent-disposition: form-data; name=\"photo\"; filename=\"p.png\"\r\n\
        content-type: image/png\r\n\r\n"
        .to_vec();
    body.extend_from_slice(PNG);
    body.extend_from_slice(b"\r\n--photo--\r\n");
    ("multipart/form-data; boundary=photo".to_owned(), body)
}
