import type { Hex } from "../sheet/color";

interface Appearance {
  /** Seen through a clear wall. */
  readonly color: Hex;
  /** Seen from above. */
  readonly skin: Hex;
  /** The tint of milk; `color` if missing. */
  readonly tint?: Hex;
  /** The light through a clear liquid at the sides and the bottom. */
  readonly glow?: Hex;
  /** Opaque and pale: can have latte art, reflects no window. */
  readonly milky?: true;
  /** Keeps its shape and covers the ice. */
  readonly foam?: true;
}

const coffees = {
  espresso: { color: "#3A1B0D", tint: "#5C2A08", skin: "#B0703A" },
  coffee: { color: "#38190C", tint: "#56270A", skin: "#3A1D10", glow: "#8A4A1E" },
  darkroast: { color: "#260F07", tint: "#451D07", skin: "#2A130A", glow: "#6E3512" },
  blonderoast: { color: "#6B3514", tint: "#7E4318", skin: "#7C4420", glow: "#B8702E" },
  pourover: { color: "#552409", tint: "#6C300C", skin: "#66300F", glow: "#B5611F" },
  coldbrew: { color: "#2E150B", tint: "#4E230A", skin: "#3F2011", glow: "#94501F" },
} satisfies Record<string, Appearance>;

const milks = {
  milk: { color: "#FAF1E3", skin: "#FCF5EA", milky: true },
  skim: { color: "#F8F3EA", skin: "#FBF7F0", milky: true },
  oat: { color: "#F2E3CA", skin: "#F6EAD6", milky: true },
  almond: { color: "#F3E7D6", skin: "#F7EEE1", milky: true },
  soy: { color: "#F5E9CF", skin: "#F8EFDB", milky: true },
  coconut: { color: "#FBF8F2", skin: "#FDFBF7", milky: true },
  cream: { color: "#FDF4E4", skin: "#FEF8EC", milky: true },
} satisfies Record<string, Appearance>;

const foams = {
  foam: { color: "#FDF4E6", skin: "#FEF8EE", milky: true, foam: true },
  head: { color: "#C9955C", skin: "#D9AE78", milky: true, foam: true },
  vanillafoam: { color: "#FBEBCB", skin: "#FDF2DB", milky: true, foam: true },
  saltfoam: { color: "#F6DDB6", skin: "#FAE8CB", milky: true, foam: true },
  berryfoam: { color: "#F6CFCB", skin: "#FADEDA", milky: true, foam: true },
  matchafoam: { color: "#D5DFAE", skin: "#E1E9C2", milky: true, foam: true },
  chocolatefoam: { color: "#D9B896", skin: "#E4C9AC", milky: true, foam: true },
  pumpkinfoam: { color: "#F3CE9C", skin: "#F8DDB6", milky: true, foam: true },
} satisfies Record<string, Appearance>;

const teas = {
  blacktea: { color: "#96461A", tint: "#9A4A1C", skin: "#AC5A28", glow: "#E59A48" },
  greentea: { color: "#C9BC62", tint: "#C9BC62", skin: "#D6CB7E", glow: "#F3EBA8" },
  minttea: { color: "#B9BE6A", tint: "#B4BB62", skin: "#C8CC84", glow: "#EDF0B4" },
  chamomile: { color: "#E2B64C", tint: "#E0B040", skin: "#EBC873", glow: "#FFEBA6" },
  rooibos: { color: "#B4481C", tint: "#B44A1E", skin: "#C4602E", glow: "#F4A04E" },
  hibiscus: { color: "#A9233F", tint: "#B22A48", skin: "#C03C58", glow: "#EE6C80" },
  matcha: { color: "#82A044", tint: "#7A9A3A", skin: "#97B35A" },
  chai: { color: "#B97C45", tint: "#A85B18", skin: "#CB9460" },
  turmeric: { color: "#E0A52E", tint: "#DD9A1C", skin: "#E8B752" },
} satisfies Record<string, Appearance>;

const fruits = {
  water: { color: "#E9E4D8", tint: "#DDD3BE", skin: "#F3EFE6", glow: "#FFFFFF" },
  strawberry: { color: "#D9616B", tint: "#D64B58", skin: "#E5838A" },
  raspberry: { color: "#C2364F", tint: "#C22E4A", skin: "#D25C70", glow: "#F28A9A" },
  peach: { color: "#F0A35C", tint: "#F09A4C", skin: "#F5B77C", glow: "#FFD6A0" },
  mango: { color: "#F2B23F", tint: "#F2A92A", skin: "#F6C366" },
  lemonade: { color: "#F4DE93", tint: "#F0D370", skin: "#F8E9B4", glow: "#FFF4C8" },
  lime: { color: "#DDE29A", tint: "#D2DB78", skin: "#E6EAB4", glow: "#F6F8D0" },
  orange: { color: "#F3A63A", tint: "#F29A22", skin: "#F7BC66" },
  apple: { color: "#D9953C", tint: "#D88E30", skin: "#E3AC62", glow: "#FFD592" },
  blueberry: { color: "#5E4A7C", tint: "#5A3F7C", skin: "#7A6496" },
  dragonfruit: { color: "#CC2F73", tint: "#C92468", skin: "#DB5A90", glow: "#F58AB4" },
  greens: { color: "#8FAE52", tint: "#84A640", skin: "#A4BF70" },
} satisfies Record<string, Appearance>;

const sweets = {
  mocha: { color: "#4E2A1B", tint: "#5A2A12", skin: "#7A4A30" },
  whitemocha: { color: "#EBD5AF", tint: "#D9B277", skin: "#F0DFC0" },
  caramel: { color: "#B8651C", tint: "#C4741F", skin: "#CF8636" },
  vanilla: { color: "#E9C988", tint: "#E3B866", skin: "#F0D9A6" },
  hazelnut: { color: "#9C6434", tint: "#A2662F", skin: "#B57C4A" },
  chocolate: { color: "#3C1D12", tint: "#4A2010", skin: "#5A3120" },
  honey: { color: "#DE9A2B", tint: "#E0A038", skin: "#EBB657" },
  brownsugar: { color: "#7A4319", tint: "#8A4A16", skin: "#94592A" },
  maple: { color: "#A45A20", tint: "#AC5E20", skin: "#B87436" },
  pumpkin: { color: "#CF7A2A", tint: "#D07A28", skin: "#DB9350" },
  cinnamon: { color: "#A2602E", tint: "#A8642C", skin: "#B4774A" },
  toffee: { color: "#AE6A2C", tint: "#B56E2A", skin: "#BE8248" },
  rose: { color: "#E9A9A8", tint: "#E59C9C", skin: "#F0C0BE" },
  lavender: { color: "#C9B6D6", tint: "#C2AAD2", skin: "#D8CAE2" },
} satisfies Record<string, Appearance>;

const INGREDIENTS = { ...coffees, ...milks, ...foams, ...teas, ...fruits, ...sweets };

export type Ingredient = keyof typeof INGREDIENTS;

export type Milk = keyof typeof milks;

export const getAppearance = (name: Ingredient): Appearance => INGREDIENTS[name];

export const isMilk = (name: Ingredient): name is Milk => name in milks;
