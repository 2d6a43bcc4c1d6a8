//! Photos of consumers.

use std::io::Cursor;

use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, codecs::jpeg::JpegEncoder,
    imageops::FilterType, metadata::Orientation,
};
use types::limits::MAX_PHOTO_BYTES;

/// Width and height of a stored photo.
pub const PHOTO_PIXELS: u32 = 512;
/// Maximum width and height of an uploaded photo.
const MAX_UPLOAD_PIXELS: u32 = 8_192;
/// Decoding a progressive JPEG takes 9 bytes a pixel: 225 MB in all.
const MAX_MEGAPIXELS: u64 = 25;
/// Maximum memory for the pixels, of which PNG has up to 8 bytes each.
const MAX_DECODED_BYTES: u64 = 96 << 20;
const JPEG_QUALITY: u8 = 85;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPhoto {
    /// More than [`MAX_PHOTO_BYTES`].
    #[error("photo too large")]
    TooLarge,
    /// More pixels than are decoded.
    #[error("photo dimensions too large")]
    TooManyPixels,
    /// Not a JPEG, PNG or WebP file.
    #[error("unsupported format")]
    Format,
    /// The file is damaged.
    #[error("unreadable photo")]
    Unreadable,
}

/// Cuts an uploaded photo to a square and encodes it as JPEG, which removes its metadata, such as the place where it was
/// taken. The size is checked before pixels are decoded.
///
/// # Errors
/// See [`InvalidPhoto`].
pub fn normalize(upload: &[u8]) -> Result<Vec<u8>, InvalidPhoto> {
    if upload.len() > MAX_PHOTO_BYTES {
        return Err(InvalidPhoto::TooLarge);
    }
    let (photo, orientation) = decode(upload)?;
    let mut square = photo.resize_to_fill(PHOTO_PIXELS, PHOTO_PIXELS, FilterType::Triangle);
    drop(photo);
    // The square in the middle is the same after a turn, and turning the whole photo would need a copy of it.
    square.apply_orientation(orientation);
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY)
        .encode_image(&on_white(&square))
        .map_err(|_| InvalidPhoto::Unreadable)?;
    Ok(jpeg)
}

/// Decodes an image and returns how to turn it upright.
fn decode(upload: &[u8]) -> Result<(DynamicImage, Orientation), InvalidPhoto> {
    let format = image::guess_format(upload).map_err(|_| InvalidPhoto::Format)?;
    if !matches!(format, ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP) {
        return Err(InvalidPhoto::Format);
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_UPLOAD_PIXELS);
    limits.max_image_height = Some(MAX_UPLOAD_PIXELS);
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(upload), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| invalid(&error))?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_MEGAPIXELS * 1_000_000 || decoder.total_bytes() > MAX_DECODED_BYTES {
        return Err(InvalidPhoto::TooManyPixels);
    }
    let orientation = decoder.orientation().map_err(|error| invalid(&error))?;
    let image = DynamicImage::from_decoder(decoder).map_err(|error| invalid(&error))?;
    Ok((image, orientation))
}

fn invalid(error: &ImageError) -> InvalidPhoto {
    match error {
        ImageError::Limits(_) => InvalidPhoto::TooManyPixels,
        _ => InvalidPhoto::Unreadable,
    }
}

/// Removes transparency, which JPEG does not have.
fn on_white(image: &DynamicImage) -> image::RgbImage {
    let mut pixels = image.to_rgba8();
    for pixel in pixels.pixels_mut() {
        let alpha = u32::from(pixel[3]);
        for channel in 0..3 {
            let blended = (u32::from(pixel[channel]) * alpha + 255 * (255 - alpha)) / 255;
            pixel[channel] = u8::try_from(blended).unwrap_or(u8::MAX);
        }
    }
    DynamicImage::ImageRgba8(pixels).to_rgb8()
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage, Rgba, RgbaImage};

    use super::*;

    fn encode(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn photo(width: u32, height: u32) -> DynamicImage {
        RgbImage::from_fn(width, height, |x, _| {
            if x < width / 2 {
                Rgb([250, 0, 0])
            } else {
                Rgb([0, 0, 250])
            }
        })
        .into()
    }

    /// Inserts an EXIF segment after the start of a JPEG file: the camera was turned by 180 degrees.
    fn with_exif(jpeg: &[u8]) -> Vec<u8> {
        let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x02".to_vec();
        // Orientation (0x0112, SHORT, 1 value): 3. Then the description (0x010e, ASCII, 9 bytes at offset 38).
        exif.extend(
            b"\x01\x12\0\x03\0\0\0\x01\0\x03\0\0\x01\x0e\0\x02\0\0\0\x09\0\0\0\x26\0\0\0\0my house\0",
        );
        let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
        [&jpeg[..2], b"\xff\xe1", &length, &exif, &jpeg[2..]].concat()
    }

    #[test]
    fn photos_become_square_jpeg_files_whatever_their_format() {
        for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
            let normalized = normalize(&encode(&photo(640, 480), format)).unwrap();
            assert_eq!(image::guess_format(&normalized).unwrap(), ImageFormat::Jpeg);
            let image = image::load_from_memory(&normalized).unwrap();
            assert_eq!(
                (image.width(), image.height()),
                (PHOTO_PIXELS, PHOTO_PIXELS),
                "{format:?}"
            );
        }
    }

    #[test]
    fn metadata_is_removed_and_its_orientation_applied() {
        let upload = with_exif(&encode(&photo(600, 600), ImageFormat::Jpeg));
        assert!(upload.windows(8).any(|part| part == b"my house"));
        let normalized = normalize(&upload).unwrap();
        assert!(!normalized.windows(8).any(|part| part == b"my house"));
        assert!(!normalized.windows(4).any(|part| part == b"Exif"));
        let left = image::load_from_memory(&normalized)
            .unwrap()
            .to_rgb8()
            .get_pixel(10, 10)
            .0;
        assert!(
            left[2] > 200 && left[0] < 50,
            "the blue half is on the left: {left:?}"
        );
    }

    #[test]
    fn an_oblong_photo_is_cut_in_its_middle_before_it_is_turned() {
        let upload = with_exif(&encode(&photo(900, 300), ImageFormat::Jpeg));
        let normalized = image::load_from_memory(&normalize(&upload).unwrap())
            .unwrap()
            .to_rgb8();
        let (left, right) = (normalized.get_pixel(10, 256).0, normalized.get_pixel(500, 256).0);
        assert!(
            left[2] > 200 && right[0] > 200,
            "blue is on the left: {left:?} {right:?}"
        );
    }

    #[test]
    fn transparency_becomes_white() {
        let transparent = RgbaImage::from_pixel(64, 64, Rgba([0, 0, 0, 0]));
        let normalized = normalize(&encode(&transparent.into(), ImageFormat::Png)).unwrap();
        let pixel = image::load_from_memory(&normalized)
            .unwrap()
            .to_rgb8()
            .get_pixel(9, 9)
            .0;
        assert!(pixel.iter().all(|channel| *channel > 250), "{pixel:?}");
    }

    #[test]
    fn other_and_damaged_files_are_rejected() {
        for file in [
            &b""[..],
            b"not a photo",
            b"GIF89a\x01\0\x01\0\0\0\0;",
            b"%PDF-1.7",
            b"<svg/>",
        ] {
            assert_eq!(normalize(file), Err(InvalidPhoto::Format), "{file:?}");
        }
        let png = encode(&photo(640, 480), ImageFormat::Png);
        assert_eq!(normalize(&png[..png.len() / 2]), Err(InvalidPhoto::Unreadable));
    }

    #[test]
    fn files_with_too_many_bytes_or_pixels_are_rejected() {
        let mut png = encode(&photo(640, 480), ImageFormat::Png);
        png.resize(MAX_PHOTO_BYTES + 1, 0);
        assert_eq!(normalize(&png), Err(InvalidPhoto::TooLarge));
        // A few kilobytes that would decode to more than the limits.
        let wide = encode(
            &image::GrayImage::new(MAX_UPLOAD_PIXELS + 1, 8).into(),
            ImageFormat::Png,
        );
        let large = encode(&image::RgbaImage::new(8_000, 8_000).into(), ImageFormat::Png);
        let many_pixels = encode(&image::GrayImage::new(6_400, 4_000).into(), ImageFormat::Png);
        for bomb in [wide, large, many_pixels] {
            assert!(bomb.len() < MAX_PHOTO_BYTES);
            assert_eq!(normalize(&bomb), Err(InvalidPhoto::TooManyPixels));
        }
    }
}
