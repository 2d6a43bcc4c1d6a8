import { describe, expect, it } from "vitest";
import { chooseMethod, type Method, sortMethods } from "./choose-method";

const method = (paymentMethodId: string, type: Method["type"], overrides: Partial<Method> = {}): Method => ({
  paymentMethodId,
  type,
  amount: type === "joebucks" ? 0 : null,
  companyId: null,
  isDefault: false,
  ...overrides,
});

const pass = method("bal_1", "joebucks", { amount: 2460 });
const empty = method("bal_0", "joebucks");
const company = method("bal_2", "joebucks", { amount: 1800, companyId: "northside" });
const visa = method("pay_visa", "card");
const amex = method("pay_amex", "card", { isDefault: true });
const bank = method("pay_bank", "bank");

const ids = (methods: Method[]) => methods.map(({ paymentMethodId }) => paymentMethodId);

describe("sorting", () => {
  it("puts joebucks first and keeps the server order of the others", () => {
    expect(ids(sortMethods([visa, bank, pass, amex]))).toEqual(["bal_1", "pay_visa", "pay_bank", "pay_amex"]);
  });

  it("puts a preferred type or id prefix second", () => {
    expect(ids(sortMethods([visa, bank, pass], "bank"))).toEqual(["bal_1", "pay_bank", "pay_visa"]);
    expect(ids(sortMethods([visa, amex, pass], "pay_am"))).toEqual(["bal_1", "pay_amex", "pay_visa"]);
  });
});

describe("the default choice", () => {
  const all = [visa, amex, bank, pass, company];

  it.each<[string, readonly Method[], Parameters<typeof chooseMethod>[1], string]>([
    ["an explicit id", all, { explicitId: "pay_visa" }, "pay_visa"],
    ["a company gift card", all, { explicitId: "gone" }, "bal_2"],
    ["joebucks with balance", [visa, amex, bank, pass], {}, "bal_1"],
    ["the consumer's default", [visa, amex, bank, empty], { lastId: "pay_visa" }, "pay_amex"],
    ["the last method used", [visa, bank, empty], { lastId: "pay_visa" }, "pay_visa"],
    ["a bank", [empty, visa, bank], {}, "pay_bank"],
    ["a card", [empty, visa], {}, "pay_visa"],
    ["the first", [empty], {}, "bal_0"],
  ])("is %s", (_, methods, preference, id) => {
    expect(chooseMethod(methods, preference)?.paymentMethodId).toBe(id);
  });

  it("is no empty balance while another method can pay", () => {
    const emptyDefault = { ...empty, isDefault: true };
    const google = method("google_pay_web", "google");
    expect(chooseMethod([emptyDefault, visa])).toBe(visa);
    expect(chooseMethod([empty, visa], { lastId: "bal_0" })).toBe(visa);
    expect(chooseMethod([empty, google])).toBe(google);
    expect(chooseMethod([empty, visa], { explicitId: "bal_0" })).toBe(empty);
  });

  it("is undefined without methods", () => expect(chooseMethod([])).toBeUndefined());

  it("skips a company gift card without balance", () => {
    const emptyCard = { ...company, amount: 0 };
    expect(chooseMethod([emptyCard, amex])).toBe(amex);
  });
});
