import { foodShadow } from "../sheet/shapes";
import { CX, clipped, ellipse, path } from "../sheet/svg";
import { crumb, type FoodDrawing, food, pore } from "./food";

const CROWN =
  "M36 206C32 196 32 184 38 176C46 160 78 152 120 152C162 152 194 160 202 176C208 184 208 196 204 206C198 214 42 214 36 206Z";

interface Bread {
  side: string;
  toast: string;
}

const createBread = ({ g }: FoodDrawing): Bread => ({
  side: g.line(CX - 84, 0, CX + 84, 0, [
    [0, "#CFA465"],
    [0.2, "#F6E3BA"],
    [0.5, "#EBCF98"],
    [0.8, "#C89A58"],
    [1, "#9C6C30"],
  ]),
  toast: g.line(CX - 84, 0, CX + 84, 0, [
    [0, "#A9662A"],
    [0.3, "#D59A50"],
    [0.7, "#B87636"],
    [1, "#81501F"],
  ]),
});

/** The bottom half: toasted below, pale above. */
const heel = ({ side, toast }: Bread): string =>
  `<path d="M38 246C35 262 44 272 62 273C90 275 150 275 178 273C196 272 205 262 202 246C190 236 50 236 38 246Z" fill="${side}"/><path d="M39 258C42 268 50 272.4 62 273C90 275 150 275 178 273C190 272.4 198 268 201 258C196 266 178 267 120 267C62 267 44 266 39 258Z" fill="${toast}"/>`;

/** A griddled muffin, flat on top. */
function crown({ g, random, small }: FoodDrawing, { side, toast }: Bread): string {
  const griddled = g.disc(
    96,
    168,
    96,
    [
      [0, "#E7AE62"],
      [0.5, "#C98B42"],
      [0.82, "#B5722F"],
      [1, "#C58B48"],
    ],
    0.3,
  );
  let face = ellipse(CX, 175, 82, 24, `fill="${griddled}"`);
  face += `<path d="M36 206C42 214 198 214 204 206L206 198C196 207 44 207 34 198Z" fill="${toast}" fill-opacity=".55"/>`;
  for (let i = 0; i < (small ? 20 : 54); i++) {
    const angle = i * 2.399963;
    const distance = Math.sqrt((i + 0.5) / (small ? 20 : 54)) * 0.96;
    const [x, y] = [
      CX + Math.cos(angle) * distance * 80 + random() * 4,
      174 + Math.sin(angle) * distance * 21,
    ];
    const color = random() > 0.45 ? "#8A4F1C" : "#F6DDA8";
    face += pore(x, y, 1 + random() * 3.4, 0.6 + random() * 1.3, color, 0.16 + random() * 0.24);
  }
  for (let i = 0; i < 34; i++) {
    face += crumb(CX + (random() - 0.5) * 150, 160 + random() * 42, 0.6 + random() * 0.9, "#FFF6DF", 0.85);
  }
  return (
    path(CROWN, 'fill="#3E2A10" fill-opacity=".28" transform="translate(0 3)"') +
    path(CROWN, `fill="${side}"`) +
    clipped(g.clip(path(CROWN)), face) +
    '<path d="M54 172C66 162 88 157 108 156" fill="none" stroke="#FFF2D2" stroke-opacity=".7" stroke-width="4.6" stroke-linecap="round"/>'
  );
}

/** Ham or turkey, folded. */
function sliced({ g }: FoodDrawing, pale: boolean): string {
  const paint = g.line(0, 232, 0, 258, [
    [0, pale ? "#F6DCC4" : "#EBA392"],
    [0.5, pale ? "#E8C2A2" : "#D98371"],
    [1, pale ? "#B98C68" : "#AA5443"],
  ]);
  return `<path d="M33 240C42 230 198 230 207 240C213 248 203 255 192 250C182 259 170 257 160 251C148 259 136 257 126 251C114 259 102 257 94 251C82 259 68 257 60 251C50 256 40 255 35 250C29 247 28 244 33 240Z" fill="${paint}"/>`;
}

/** Wavy bacon with streaks of fat. */
const BACON =
  '<path d="M30 240C46 232 58 248 74 240S106 232 122 240S154 248 170 240S198 234 210 240L208 252C196 246 184 258 168 252S138 244 122 252S90 258 74 252S44 246 32 252Z" fill="#9E3B2C"/><path d="M32 245C48 238 58 253 74 246S106 238 122 246S154 253 170 246S198 240 209 246" fill="none" stroke="#F0C1A4" stroke-width="3.4"/>';

function sausage({ g }: FoodDrawing): string {
  const paint = g.line(0, 234, 0, 258, [
    [0, "#A8683C"],
    [0.5, "#84481F"],
    [1, "#4E2710"],
  ]);
  return `<path d="M36 236L204 236C212 242 211 254 202 257C180 261 60 261 38 257C29 254 28 242 36 236Z" fill="${paint}"/><path d="M48 241C90 237 150 237 190 241" fill="none" stroke="#D29A66" stroke-opacity=".6" stroke-width="2.4" stroke-linecap="round"/>`;
}

/** Tomato on spinach. */
const GREENS =
  '<path d="M28 246C36 236 44 252 54 244S70 256 82 246S100 258 114 248S136 258 148 248S170 256 180 246S200 254 212 244C214 252 204 258 196 256C150 262 86 262 42 257C34 258 26 254 28 246Z" fill="#5E8A38"/><path d="M40 238L200 238C206 242 204 248 196 249C160 252 80 252 44 249C36 248 34 242 40 238Z" fill="#D2493C"/><path d="M50 241H190" stroke="#F08A76" stroke-width="2" stroke-linecap="round"/>';

/** Melting cheese. */
function cheese({ g }: FoodDrawing): string {
  const paint = g.line(0, 226, 0, 257, [
    [0, "#FFDA80"],
    [0.5, "#F6BF4D"],
    [1, "#DB982E"],
  ]);
  return `<path d="M33 228L207 228C210 235 206 240 198 240L184 240C182 253 173 259 169 248C167 242 161 241 155 241L106 241C102 255 91 257 89 246C88 241 81 240 75 240L42 240C34 240 30 235 33 228Z" fill="${paint}"/>`;
}

function foldedEgg({ g }: FoodDrawing): string {
  const paint = g.line(0, 204, 0, 236, [
    [0, "#FFF8E2"],
    [0.45, "#FBE5A9"],
    [1, "#DFB25A"],
  ]);
  return `<path d="M36 214C50 202 190 202 204 214C212 222 207 231 196 232C176 236 64 236 44 232C33 231 28 222 36 214Z" fill="${paint}"/><path d="M44 224C80 217 160 219 196 224" fill="none" stroke="#D8A545" stroke-opacity=".6" stroke-width="1.6" stroke-linecap="round"/><path d="M52 214C82 208 150 208 182 213" fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="3" stroke-linecap="round"/>`;
}

const LETTUCE =
  '<path d="M30 216C40 204 200 204 210 216C214 226 204 234 196 227C188 238 178 236 172 228C162 238 150 236 144 228C134 239 122 237 116 228C106 238 94 236 88 228C78 237 66 236 62 228C52 236 42 234 40 227C32 230 26 224 30 216Z" fill="#7FA545"/><path d="M44 217C80 210 160 210 196 217" fill="none" stroke="#C4DA8E" stroke-width="2.4" stroke-linecap="round"/>';

export const sandwich = food(["ham", "bacon", "sausage", "egg", "turkey", "veggie"], (drawing, variant) => {
  const bread = createBread(drawing);
  const lowest = {
    ham: () => sliced(drawing, false),
    turkey: () => sliced(drawing, true),
    bacon: () => BACON,
    sausage: () => sausage(drawing),
    veggie: () => GREENS,
    egg: () => "",
  }[variant]();
  const upper = variant === "turkey" ? LETTUCE : foldedEgg(drawing);
  return foodShadow(drawing.g, 78) + heel(bread) + lowest + cheese(drawing) + upper + crown(drawing, bread);
});
