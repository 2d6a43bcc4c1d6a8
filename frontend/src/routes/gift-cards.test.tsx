import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cents } from "@/lib/money";
import { authenticatePayment } from "@/provider/authenticate";
import { device } from "@/state/device";
import { giftCardPurchase } from "@/state/purchases";
import {
  addFundsOptions,
  birthdayCard,
  companyCard,
  joePassBalance,
  makeBalance,
  makeDeal,
  makePurchase,
} from "@/testing/gift-cards";
import { bank, visa } from "@/testing/payment-method";
import { mockPaymentSheet } from "@/testing/provider";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";

vi.mock("@/provider/authenticate", () => ({ authenticatePayment: vi.fn() }));

afterEach(() => vi.unstubAllGlobals());

beforeEach(() => {
  giftCardPurchase.clear();
  server.use(
    mockGet("/user/wallet", { balances: [joePassBalance] }),
    mockGet("/gift-card/deals", { deals: [] }),
    mockGet("/user/wallet/add-funds", addFundsOptions),
    mockGet("/payments/list", { paymentMethods: [visa] }),
  );
});

describe("the list", () => {
  it("shows gift cards and company cards with their balances, and the deals", async () => {
    server.use(
      mockGet("/user/wallet", { balances: [joePassBalance, birthdayCard, companyCard] }),
      http.get("*/api/consumer/gift-card/deals", ({ request }) => {
        const companyId = new URL(request.url).searchParams.get("companyId");
        const deal = companyId
          ? makeDeal("dea_2", { companyId, price: cents(2000), value: cents(2500) })
          : makeDeal("dea_1", { usesLeft: 2 });
        return HttpResponse.json({ success: true, data: { deals: [deal] }, errors: [] });
      }),
    );
    await renderRoute("/gift-cards", { session: maya });
    const own = await screen.findByRole("list", { name: "Your gift cards" });
    const row = within(own).getByRole("link", { name: /Birthday gift card.*Ending 4F7K.*\$25\.00/ });
    expect(row).toHaveAttribute("href", "/wallet/activity?balanceId=bal_gift");
    const companies = screen.getByRole("list", { name: "Company cards" });
    expect(within(companies).getByRole("link", { name: /Juniper Lane card.*\$42\.00/ })).toHaveAttribute(
      "href",
      "/company/juniper/card",
    );
    const deals = await screen.findByRole("list", { name: "Deals" });
    expect(
      within(deals).getByRole("link", { name: /Pay \$50, get \$60.*You can use it 2 times/ }),
    ).toHaveAttribute("href", "/gift-cards/buy?dealId=dea_1");
    expect(await within(deals).findByRole("link", { name: /Pay \$20, get \$25/ })).toHaveAttribute(
      "href",
      "/company/juniper/buy-card?dealId=dea_2",
    );
  });

  it("marks pending and switched-off cards", async () => {
    server.use(
      mockGet("/user/wallet", {
        balances: [
          makeBalance("bal_2", "PhysicalGiftCard", 0, { pending: birthdayCard.balance }),
          { ...companyCard, isActive: false },
        ],
      }),
    );
    await renderRoute("/gift-cards", { session: maya });
    expect(await screen.findByText("$25.00 pending")).toBeInTheDocument();
    expect(screen.getByText("Off")).toBeInTheDocument();
  });

  it("offers to buy, redeem and link without cards, and does without deals that fail to load", async () => {
    server.use(mockGetError("/gift-card/deals", { status: 500 }));
    await renderRoute("/gift-cards", { session: maya });
    expect(await screen.findByRole("heading", { name: "No gift cards yet" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Buy a gift card" })).toHaveAttribute("href", "/gift-cards/buy");
    expect(screen.getByRole("link", { name: "Redeem a code" })).toHaveAttribute("href", "/wallet/redeem");
    expect(screen.getByRole("link", { name: "Link a physical card" })).toHaveAttribute(
      "href",
      "/gift-cards/link",
    );
  });

  it("offers to try again when the cards fail to load", async () => {
    server.use(mockGetError("/user/wallet", { status: 500 }));
    const { user } = await renderRoute("/gift-cards", { session: maya });
    await screen.findByRole("heading", { name: "We couldn't load this page" });
    server.use(mockGet("/user/wallet", { balances: [birthdayCard] }));
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Birthday gift card")).toBeInTheDocument();
  });
});

describe("buying", () => {
  async function openForm(search = "") {
    const app = await renderRoute(`/gift-cards/buy${search}`, { session: maya });
    await screen.findByText("Visa ending 4242");
    return { ...app, buy: () => app.user.click(screen.getByRole("button", { name: /^Buy gift card/ })) };
  }

  it("buys a card for the own wallet and clears the draft", async () => {
    const requests = vi.fn(() => makePurchase());
    server.use(mockPost("/gift-card", requests));
    const { user, buy } = await openForm();
    await user.click(screen.getByRole("radio", { name: "$25" }));
    await user.click(screen.getByRole("radio", { name: "Love" }));
    await buy();
    expect(await screen.findByRole("heading", { name: "Your card is ready" })).toHaveFocus();
    expect(requests).toHaveBeenCalledWith(
      {
        amount: 2500,
        design: "love",
        recipient: { kind: "self" },
        payment: { type: "card", paymentMethodId: "pay_visa" },
        idempotencyKey: expect.any(String),
      },
      expect.anything(),
    );
    expect(screen.getByRole("region", { name: "Love gift card" })).toHaveTextContent("$25.00");
    expect(giftCardPurchase.get().amount).toBeNull();
  });

  it("sends a card to someone else on a date, with a message", async () => {
    const requests = vi.fn(() => makePurchase());
    server.use(mockPost("/gift-card", requests));
    const { user, buy } = await openForm();
    await user.click(screen.getByRole("radio", { name: "$25" }));
    await user.click(screen.getByRole("radio", { name: "For someone else" }));
    await user.type(screen.getByLabelText("Their name (optional)"), "Ana");
    await user.click(screen.getByRole("radio", { name: "Email" }));
    await user.type(screen.getByLabelText("Their email"), "ana@example.com");
    await user.type(screen.getByLabelText("Message (optional)"), "Enjoy! ");
    await user.click(screen.getByRole("radio", { name: "On a date" }));
    await buy();
    expect(await screen.findByRole("heading", { name: "Your gift is scheduled" })).toBeInTheDocument();
    expect(screen.getByText(/Ana gets the code by email on/)).toBeInTheDocument();
    const [body] = requests.mock.calls[0] as unknown as [Record<string, unknown>];
    expect(body).toMatchObject({
      recipient: { kind: "email", value: "ana@example.com", name: "Ana" },
      message: "Enjoy!",
      deliverOn: new Intl.DateTimeFormat("en-CA").format(new Date()),
    });
  });

  it("shares a note without the code", async () => {
    server.use(mockPost("/gift-card", () => makePurchase()));
    const { user, buy } = await openForm();
    await user.click(screen.getByRole("radio", { name: "$25" }));
    await user.click(screen.getByRole("radio", { name: "For someone else" }));
    await user.type(screen.getByLabelText("Their phone number"), "(213) 555-0100");
    await buy();
    await user.click(await screen.findByRole("button", { name: "Tell them it's coming" }));
    expect(await navigator.clipboard.readText()).toBe(
      "I sent you a $25.00 coffee gift card. Check your texts. http://localhost:3000/wallet/redeem",
    );
  });

  it("shows the errors of all fields and focuses the first one", async () => {
    server.use(mockGet("/payments/list", { paymentMethods: [] }));
    const { user } = await renderRoute("/gift-cards/buy", { session: maya });
    await screen.findByText("Not selected");
    await user.click(screen.getByRole("radio", { name: "Other amount" }));
    await user.type(screen.getByLabelText("Other amount", { selector: "input[inputmode]" }), "5");
    await user.click(screen.getByRole("radio", { name: "For someone else" }));
    await user.type(screen.getByLabelText("Their phone number"), "555");
    await user.click(screen.getByRole("button", { name: /^Buy gift card/ }));
    expect(screen.getByText("The minimum is $10.")).toBeInTheDocument();
    expect(screen.getByText("Enter a phone number.")).toBeInTheDocument();
    expect(screen.getByText("Payment method is required")).toBeInTheDocument();
    expect(screen.getByLabelText("Other amount", { selector: "input[inputmode]" })).toHaveFocus();
  });

  it("buys the deal of the link at its price", async () => {
    const requests = vi.fn(() => makePurchase({ value: makeDeal("dea_1").value }));
    server.use(mockGet("/gift-card/deals", { deals: [makeDeal("dea_1")] }), mockPost("/gift-card", requests));
    const { buy } = await openForm("?dealId=dea_1");
    expect(screen.getByText("Holiday bonus: Pay $50, get $60.")).toBeInTheDocument();
    await buy();
    await screen.findByRole("heading", { name: "Your card is ready" });
    expect(requests).toHaveBeenCalledWith(
      expect.objectContaining({ amount: 5000, dealId: "dea_1" }),
      expect.anything(),
    );
  });

  it("shows that the deal of the link has ended", async () => {
    await openForm("?dealId=dea_gone");
    expect(screen.getByText("This deal has ended. You can still buy a card.")).toBeInTheDocument();
    expect(screen.getByRole("radio", { name: "$25" })).toBeInTheDocument();
  });

  it("repeats the purchase with its key after the consumer has authenticated the payment", async () => {
    const script = { scriptUrl: "https://provider.example/v1/js", publishableKey: "pk_test" };
    const keys: unknown[] = [];
    server.use(
      mockPost("/gift-card", (body) => {
        keys.push((body as { idempotencyKey: string }).idempotencyKey);
        return keys.length === 1
          ? makePurchase({ state: "RequiresAction", clientSecret: "pi_secret", providerScript: script })
          : makePurchase();
      }),
    );
    const { user, buy } = await openForm();
    await user.click(screen.getByRole("radio", { name: "$25" }));
    await buy();
    await screen.findByRole("heading", { name: "Your card is ready" });
    expect(authenticatePayment).toHaveBeenCalledWith("pi_secret", script);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
    expect(device.idempotency.get()).toEqual({});
  });

  it("repeats a purchase with the same key after a lost response", async () => {
    server.use(mockPostError("/gift-card", { status: 503 }));
    const { user, buy } = await openForm();
    await user.click(screen.getByRole("radio", { name: "$25" }));
    await buy();
    expect(
      await screen.findByText("This is taking longer than expected. Tap again; you won't be charged twice."),
    ).toBeInTheDocument();
    const [key] = Object.values(device.idempotency.get());
    const requests = vi.fn(() => makePurchase());
    server.use(mockPost("/gift-card", requests));
    await buy();
    await screen.findByRole("heading", { name: "Your card is ready" });
    expect(requests).toHaveBeenCalledWith(
      expect.objectContaining({ idempotencyKey: key }),
      expect.anything(),
    );
  });

  it("locks the form while the outcome of a purchase is unknown, so that no change makes a second one", async () => {
    server.use(mockPostError("/gift-card", { status: 503 }));
    const { user, buy } = await openForm();
    await user.click(screen.getByRole("radio", { name: "$25" }));
    await buy();
    await screen.findByText(/you won't be charged twice/);
    expect(screen.getByRole("radio", { name: "$50" })).toBeDisabled();
    server.use(mockPostError("/gift-card", { status: 402, reason: "CARD_DECLINED" }));
    await buy();
    await waitFor(() => expect(screen.getByRole("radio", { name: "$50" })).toBeEnabled());
  });

  it("does not show the card of an attempt of another day as a new one", async () => {
    const earlier = makePurchase({ createdAt: new Date(Date.now() - 86_400_000).toISOString() });
    server.use(mockPostError("/gift-card", { status: 503 }));
    const { user, buy } = await openForm();
    await user.click(screen.getByRole("radio", { name: "$25" }));
    await buy();
    await screen.findByText(/you won't be charged twice/);
    server.use(mockPost("/gift-card", () => earlier));
    await buy();
    expect(
      await screen.findByText(
        "You already paid $25.00 for this yesterday. You weren't charged again; tap again to buy another one.",
      ),
    ).toBeInTheDocument();
    expect(device.idempotency.get()).toEqual({});
    server.use(mockPost("/gift-card", () => makePurchase()));
    await buy();
    expect(await screen.findByRole("heading", { name: "Your card is ready" })).toBeInTheDocument();
  });

  describe("if the consumer leaves before the response", () => {
    async function leave(reply: object, status = 200) {
      const [requested, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      server.use(
        http.post("*/api/consumer/gift-card", async () => {
          requested.resolve();
          await held.promise;
          return HttpResponse.json({ success: status === 200, data: null, errors: [], ...reply }, { status });
        }),
      );
      const app = await openForm();
      await app.user.click(screen.getByRole("radio", { name: "$25" }));
      await app.buy();
      await requested.promise;
      await app.router.navigate({ to: "/gift-cards" });
      await screen.findByRole("heading", { name: "No gift cards yet" });
      held.resolve();
      return app;
    }

    it("clears the draft and shows that the card is bought", async () => {
      await leave({ data: makePurchase() });
      expect(await screen.findByText("Gift card bought")).toBeInTheDocument();
      expect(giftCardPurchase.get().amount).toBeNull();
    });

    it("keeps the draft, shows that the payment was declined, and leads back to the form", async () => {
      const { user } = await leave({ reason: "CARD_DECLINED", errors: ["Your card was declined."] }, 422);
      expect(await screen.findByText("Gift card not bought. Your card was declined.")).toBeInTheDocument();
      await user.click(screen.getByRole("button", { name: "Try again" }));
      await screen.findByRole("heading", { name: "Buy a gift card" });
      expect(screen.getByRole("radio", { name: "$25" })).toBeChecked();
    });

    it("shows that the payment may have been made", async () => {
      await leave({}, 500);
      const text = "We couldn't confirm your payment. Try again; you won't be charged twice.";
      expect(await screen.findByText(text)).toBeInTheDocument();
      expect(screen.getByRole("button", { name: "Try again" })).toBeInTheDocument();
    });
  });

  it("keeps the key of an attempt when the wallet confirms it again", async () => {
    const sheet = mockPaymentSheet();
    const sent: { idempotencyKey: string; payment: { walletPaymentMethodId?: string | null } }[] = [];
    server.use(
      mockGet("/payments/list", { paymentMethods: [] }),
      mockGet("/api/stripe/script", { publishableKey: "pk_test", scriptUrl: "https://provider.example/js" }),
      http.post("*/api/consumer/gift-card", async ({ request }) => {
        sent.push((await request.json()) as (typeof sent)[number]);
        if (sent.length === 1) return HttpResponse.error();
        return HttpResponse.json({ success: true, data: makePurchase(), errors: [] });
      }),
    );
    const { user } = await renderRoute("/gift-cards/buy", { session: maya });
    await screen.findByText("Google Pay");
    await user.click(screen.getByRole("radio", { name: "$25" }));
    const buy = () => user.click(screen.getByRole("button", { name: /^Buy gift card/ }));
    await buy();
    act(() => void sheet.confirm("pm_google"));
    await screen.findByText("We lost the connection. Tap again; you won't be charged twice.");
    await buy();
    act(() => void sheet.confirm("pm_google_2"));
    await screen.findByRole("heading", { name: "Your card is ready" });
    expect(sent.map(({ payment }) => payment.walletPaymentMethodId)).toEqual(["pm_google", "pm_google_2"]);
    expect(sent[1]?.idempotencyKey).toBe(sent[0]?.idempotencyKey);
    expect(device.idempotency.get()).toEqual({});
  });

  describe("with Google Pay", () => {
    async function openWithWallet() {
      const sheet = mockPaymentSheet();
      server.use(
        mockGet("/payments/list", { paymentMethods: [] }),
        mockGet("/api/stripe/script", {
          publishableKey: "pk_test",
          scriptUrl: "https://provider.example/js",
        }),
      );
      const { user, ...app } = await renderRoute("/gift-cards/buy", { session: maya });
      await screen.findByText("Google Pay");
      await user.click(screen.getByRole("radio", { name: "$25" }));
      const button = () => screen.getByRole("button", { name: /^(Buy gift card|Paying)/ });
      return { ...app, user, sheet, button };
    }

    it("buys one card for two taps, and shows its recipient", async () => {
      const requests = vi.fn(() => makePurchase());
      server.use(mockPost("/gift-card", requests));
      const { user, sheet, button } = await openWithWallet();
      await user.click(screen.getByRole("radio", { name: "For someone else" }));
      await user.type(screen.getByLabelText("Their phone number"), "(213) 555-0100");
      await user.click(button());
      expect(button()).toHaveAttribute("aria-busy", "true");
      await user.click(button());
      await act(async () => sheet.confirm());
      expect(await screen.findByRole("heading", { name: "Your gift is sent" })).toBeInTheDocument();
      expect(screen.getByText(/\(213\) 555-0100 gets the code by text message/)).toBeInTheDocument();
      expect(requests).toHaveBeenCalledOnce();
      expect(sheet.show).toHaveBeenCalledOnce();
    });

    it("can be tapped again after the consumer has canceled", async () => {
      const { user, sheet, button } = await openWithWallet();
      await user.click(button());
      await act(async () => sheet.cancel());
      await waitFor(() => expect(button()).not.toHaveAttribute("aria-busy"));
      await user.click(button());
      expect(sheet.show).toHaveBeenCalledTimes(2);
    });

    it("handles a payment sheet that cannot be opened", async () => {
      const { user, sheet, button, router } = await openWithWallet();
      sheet.show.mockImplementation(() => {
        throw new Error("no sheet");
      });
      await user.click(button());
      await waitFor(() => expect(router.state.location.pathname).toBe("/lp/error"));
    });
  });

  describe("while it is being paid", () => {
    async function pay() {
      const held = Promise.withResolvers<void>();
      const requests = vi.fn();
      server.use(
        http.post("*/api/consumer/gift-card", async ({ request }) => {
          requests(await request.json());
          await held.promise;
          return HttpResponse.json({ success: true, data: makePurchase(), errors: [] });
        }),
      );
      const app = await openForm();
      await app.user.click(screen.getByRole("radio", { name: "$25" }));
      await app.user.click(screen.getByRole("radio", { name: "For someone else" }));
      await app.user.click(screen.getByRole("radio", { name: "Email" }));
      await app.user.type(screen.getByLabelText("Their email"), "ana@example.com");
      await app.buy();
      await waitFor(() => expect(requests).toHaveBeenCalledOnce());
      return { ...app, requests, respond: held.resolve };
    }

    it("cannot be changed, and is not bought twice", async () => {
      const { user, requests, respond } = await pay();
      await user.click(screen.getByRole("radio", { name: "Love" }));
      await user.type(screen.getByLabelText("Their email"), ".br");
      const button = screen.getByRole("button", { name: /Paying/ });
      expect(button).toHaveAttribute("aria-busy", "true");
      await user.click(button);
      respond();
      expect(await screen.findByText(/ana@example\.com gets the code by email/)).toBeInTheDocument();
      expect(screen.getByRole("region", { name: "Gift card" })).toBeInTheDocument();
      expect(requests).toHaveBeenCalledOnce();
    });

    it("keeps the changes of a consumer who has left and returned", async () => {
      const { user, router, respond } = await pay();
      await router.navigate({ to: "/gift-cards" });
      await screen.findByRole("heading", { name: "No gift cards yet" });
      await router.navigate({ to: "/gift-cards/buy" });
      await user.type(await screen.findByLabelText("Their email"), ".br");
      respond();
      expect(await screen.findByText("Gift card bought")).toBeInTheDocument();
      expect(giftCardPurchase.get().recipient.value).toBe("ana@example.com.br");
    });
  });

  it("shows why the payment was declined, and takes a new key", async () => {
    const errors = ["Your card was declined."];
    server.use(mockPostError("/gift-card", { status: 422, reason: "CARD_DECLINED", errors }));
    const { user, buy } = await openForm();
    await user.click(screen.getByRole("radio", { name: "$25" }));
    await buy();
    expect(await screen.findByText("Your card was declined.")).toBeInTheDocument();
    expect(device.idempotency.get()).toEqual({});
  });

  it("shows that a failed purchase was not charged", async () => {
    server.use(mockPost("/gift-card", () => makePurchase({ state: "Failed" })));
    const { user, buy } = await openForm();
    await user.click(screen.getByRole("radio", { name: "$25" }));
    await buy();
    expect(
      await screen.findByText("The payment didn't go through. You weren't charged."),
    ).toBeInTheDocument();
  });

  it("explains that value from a bank is pending", async () => {
    server.use(
      mockGet("/payments/list", { paymentMethods: [bank] }),
      mockPost("/gift-card", () => makePurchase({ state: "Processing" })),
    );
    const { user } = await renderRoute("/gift-cards/buy", { session: maya });
    expect(
      await screen.findByText("Your bank takes a few days. The money shows as pending until then."),
    ).toBeInTheDocument();
    await user.click(screen.getByRole("radio", { name: "$25" }));
    await user.click(screen.getByRole("button", { name: /^Buy gift card/ }));
    expect(await screen.findByRole("heading", { name: "Your card is on its way" })).toBeInTheDocument();
    expect(screen.getByText(/The \$25\.00 can be spent once yours clears/)).toBeInTheDocument();
  });

  it("keeps the draft while the consumer is elsewhere, and drops it on sign-out", async () => {
    const { user, router } = await openForm();
    await user.click(screen.getByRole("radio", { name: "$25" }));
    await router.navigate({ to: "/gift-cards" });
    await router.navigate({ to: "/gift-cards/buy" });
    expect(await screen.findByRole("radio", { name: "$25" })).toBeChecked();
    device.user.clear();
    await waitFor(() => expect(giftCardPurchase.get().amount).toBeNull());
  });

  it("reloads the payment methods after an error", async () => {
    server.use(mockGetError("/payments/list", { status: 400 }));
    const { user } = await renderRoute("/gift-cards/buy", { session: maya });
    const reload = await screen.findByRole("button", { name: "Reload payment methods" });
    server.use(mockGet("/payments/list", { paymentMethods: [visa] }));
    await user.click(reload);
    expect(await screen.findByText("Visa ending 4242")).toBeInTheDocument();
  });
});

describe("redeeming a code", () => {
  async function redeem(code: string) {
    const app = await renderRoute("/wallet/redeem", { session: maya });
    if (code) await app.user.type(await screen.findByLabelText("Gift card code"), code);
    await app.user.click(await screen.findByRole("button", { name: "Add to my wallet" }));
    return app;
  }

  it("adds the card to the wallet", async () => {
    const codes = vi.fn(() => birthdayCard);
    server.use(mockPost("/user/gift-card", codes));
    await redeem(" 7Q2M-4F7K ");
    expect(await screen.findByRole("heading", { name: "Added to your wallet" })).toHaveFocus();
    expect(codes).toHaveBeenCalledWith({ code: "7Q2M-4F7K" }, expect.anything());
    expect(screen.getByText("$25.00 is ready to spend at checkout.")).toBeInTheDocument();
  });

  it("shows why the code was rejected at the field", async () => {
    const errors = ["That code is incorrect or already used."];
    server.use(mockPostError("/user/gift-card", { status: 422, reason: "CODE_NOT_VALID", errors }));
    await redeem("WRONG");
    expect(await screen.findByText("That code is incorrect or already used.")).toBeInTheDocument();
    expect(screen.getByLabelText("Gift card code")).toBeInvalid();
  });

  it("shows an error after too many attempts", async () => {
    server.use(mockPostError("/user/gift-card", { status: 429, reason: "TOO_MANY_ATTEMPTS" }));
    await redeem("WRONG");
    expect(await screen.findByText("Too many tries. Please wait a moment.")).toBeInTheDocument();
  });

  it("requires a code", async () => {
    await redeem("");
    expect(await screen.findByText("Enter the code.")).toBeInTheDocument();
  });
});

describe("linking a physical card", () => {
  it("adds the card by number and PIN", async () => {
    const cards = vi.fn(() => makeBalance("bal_3", "PhysicalGiftCard", 1875, { codeSuffix: "9921" }));
    server.use(mockPost("/gift-card/link-gift-card", cards));
    const { user } = await renderRoute("/gift-cards/link", { session: maya });
    await user.type(await screen.findByLabelText("Card number"), "6006 9921");
    await user.type(screen.getByLabelText("PIN, if the card has one"), "1234");
    await user.click(screen.getByRole("button", { name: "Add to my wallet" }));
    expect(await screen.findByRole("region", { name: "Physical gift card" })).toHaveTextContent("$18.75");
    expect(cards).toHaveBeenCalledWith({ number: "6006 9921", pin: "1234" }, expect.anything());
  });

  it("requires a number, and shows why a card was rejected", async () => {
    const errors = ["That card is incorrect or already used."];
    server.use(mockPostError("/gift-card/link-gift-card", { status: 422, reason: "CODE_NOT_VALID", errors }));
    const { user } = await renderRoute("/gift-cards/link", { session: maya });
    await user.click(await screen.findByRole("button", { name: "Add to my wallet" }));
    expect(await screen.findByText("Enter the card number.")).toBeInTheDocument();
    await user.type(screen.getByLabelText("Card number"), "6006");
    await user.click(screen.getByRole("button", { name: "Add to my wallet" }));
    expect(await screen.findByText("That card is incorrect or already used.")).toBeInTheDocument();
  });
});
