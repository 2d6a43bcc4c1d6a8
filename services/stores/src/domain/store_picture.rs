//! Draws the front of a store without a photo. The picture depends only on the store's id.

use std::fmt::Write;

use types::StoreId;

use super::stable_id;

/// Wall and its shaded base.
const WALLS: [(&str, &str); 6] = [
    ("#e7d9c4", "#d3bfab"),
    ("#d9b48f", "#c39a72"),
    ("#c9cfae", "#aeb690"),
    ("#e2c3ae", "#cda78f"),
    ("#d8cbb9", "#bfae98"),
    ("#e0b183", "#c8935f"),
];
const AWNINGS: [&str; 6] = ["#94551f", "#2b7547", "#8c3b2a", "#5f4b3f", "#b0701f", "#6d7044"];
const DARK: &str = "#2a1911";
const LIGHT: &str = "#fffcf6";
const GLASS: &str = "#f3e3c3";
const LEAVES: &str = "#6f8a57";
/// Visible on a light and on a dark background, because the drawing has none of its own.
const GROUND: &str = "#a58a6c";
/// Left edges of the door and of the window beside it, on a drawing of 320 by 200.
const LAYOUTS: [(u32, u32); 2] = [(70, 138), (198, 70)];
const AWNING_LEFT: u32 = 52;
const AWNING_WIDTH: u32 = 216;

/// Returns an SVG document of 320 by 200.
#[must_use]
pub(crate) fn draw(store_id: StoreId) -> String {
    let digest = stable_id::derive(&["picture", &store_id.to_string()]);
    let [wall, awning, layout, stripes, roof, plant, ..] = *digest.as_bytes();
    let (wall, base) = pick(&WALLS, wall);
    let awning = pick(&AWNINGS, awning);
    let (door, window) = pick(&LAYOUTS, layout);
    let mut svg = String::from(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" width="320" height="200" aria-hidden="true">"#,
    );
    element(
        &mut svg,
        format_args!(r#"<path d="M0 172h320v28H0Z" fill="{GROUND}" fill-opacity=".35"/>"#),
    );
    draw_roof(&mut svg, roof, awning, wall);
    rect(&mut svg, [52, 56, 216, 116], wall);
    rect(&mut svg, [52, 160, 216, 12], base);
    draw_door(&mut svg, door, awning);
    draw_window(&mut svg, window);
    draw_awning(&mut svg, awning, 6 + 2 * u32::from(stripes % 3));
    if plant.is_multiple_of(2) {
        draw_plant(&mut svg, 274);
    }
    if plant.is_multiple_of(3) {
        draw_plant(&mut svg, 46);
    }
    svg.push_str("</svg>");
    svg
}

fn pick<T: Copy, const N: usize>(values: &[T; N], byte: u8) -> T {
    values[usize::from(byte) % N]
}

fn rect(svg: &mut String, [x, y, width, height]: [u32; 4], fill: &str) {
    element(
        svg,
        format_args!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"/>"#),
    );
}

fn element(svg: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = svg.write_fmt(text);
}

fn draw_roof(svg: &mut String, kind: u8, trim: &str, wall: &str) {
    match kind % 3 {
        0 => rect(svg, [46, 46, 228, 12], trim),
        1 => element(
            svg,
            format_args!(r#"<path d="M44 58 160 20 276 58Z" fill="{trim}"/>"#),
        ),
        _ => {
            element(
                svg,
                format_args!(r#"<path d="M104 58V38a56 26 0 0 1 112 0V58Z" fill="{wall}"/>"#),
            );
            rect(svg, [46, 50, 228, 8], trim);
        }
    }
}

fn draw_door(svg: &mut String, left: u32, color: &str) {
    rect(svg, [left, 104, 52, 68], color);
    rect(svg, [left + 8, 112, 36, 32], GLASS);
    element(
        svg,
        format_args!(r#"<circle cx="{}" cy="154" r="3" fill="{LIGHT}"/>"#, left + 44),
    );
}

/// A window with a cup and steam.
fn draw_window(svg: &mut String, left: u32) {
    rect(svg, [left, 100, 112, 52], DARK);
    rect(svg, [left + 4, 104, 104, 44], GLASS);
    let cup = left + 42;
    element(
        svg,
        format_args!(
            r#"<path d="M{cup} 122h28v10a10 10 0 0 1-10 10h-8a10 10 0 0 1-10-10Z" fill="{LIGHT}"/><path d="M{} 125a6 6 0 0 1 0 11" fill="none" stroke="{LIGHT}" stroke-width="4"/><path d="M{} 118q-4-4 0-8M{} 118q-4-4 0-8" fill="none" stroke="{LIGHT}" stroke-width="2.5" stroke-linecap="round"/>"#,
            cup + 28,
            cup + 10,
            cup + 19,
        ),
    );
}

/// An awning with a scalloped edge and stripes of two colors.
fn draw_awning(svg: &mut String, color: &str, stripes: u32) {
    let width = f64::from(AWNING_WIDTH) / f64::from(stripes);
    for stripe in 0..stripes {
        let fill = if stripe % 2 == 0 { color } else { LIGHT };
        let left = width.mul_add(f64::from(stripe), f64::from(AWNING_LEFT));
        element(
            svg,
            format_args!(
                r#"<path d="M{left:.1} 66h{width:.1}v22a{0:.1} {0:.1} 0 0 1-{width:.1} 0Z" fill="{fill}"/>"#,
                width / 2.0
            ),
        );
    }
}

fn draw_plant(svg: &mut String, center: u32) {
    element(
        svg,
        format_args!(r#"<ellipse cx="{center}" cy="138" rx="15" ry="22" fill="{LEAVES}"/>"#),
    );
    rect(svg, [center - 10, 154, 20, 20], "#94551f");
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_store_always_has_the_same_picture() {
        let id = stable_id::store_id("1");
        assert_eq!(draw(id), draw(id));
        let pictures: HashSet<String> = (0..50)
            .map(|number| draw(stable_id::store_id(&number.to_string())))
            .collect();
        assert!(pictures.len() > 40, "{}", pictures.len());
    }

    #[test]
    fn plants_are_visible_in_a_tile_that_is_narrower_than_the_picture() {
        // The app shows pictures as 4:3: the middle of 266 of the 320 units.
        let visible = 27..=293;
        let pictures: Vec<String> = (0..50)
            .map(|number| draw(stable_id::store_id(&number.to_string())))
            .collect();
        let centers: HashSet<i32> = pictures
            .iter()
            .flat_map(|svg| svg.split(r#"<ellipse cx=""#).skip(1))
            .map(|text| text.split('"').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(centers.len(), 2);
        assert!(
            centers
                .iter()
                .all(|center| visible.contains(&(center - 15)) && visible.contains(&(center + 15))),
            "{centers:?}"
        );
    }

    #[test]
    fn a_picture_has_no_background() {
        let svg = draw(stable_id::store_id("1"));
        assert!(!svg.contains(r#"width="320" height="200" fill"#));
    }

    #[test]
    fn a_picture_is_one_document_without_scripts_and_links() {
        let svg = draw(stable_id::store_id("1"));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
        assert!(!svg.contains("script") && !svg.contains("href"));
        assert!(svg.len() < 4_000, "{}", svg.len());
    }
}
