import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { maya, renderRoute } from "@/testing/render-route";
import { mockPost, mockPostError, server } from "@/testing/server";

const fresh = { ...maya, firstName: "", lastName: "" };

async function askForCode(url = "/sign-in/getting-started") {
  const sent: unknown[] = [];
  server.use(
    mockPost("/authentication/login", (body) => {
      sent.push(body);
      return { phone: maya.phone, resendAfterSeconds: 30, expiresAfterSeconds: 600 };
    }),
  );
  const app = await renderRoute(url);
  await app.user.type(await screen.findByLabelText("Mobile number"), "(213) 555-0142");
  await app.user.click(screen.getByRole("button", { name: "Text me a code" }));
  await screen.findByLabelText("Six-digit code");
  return { ...app, sent };
}

it("sends the number in E.164 and keeps it out of the address", async () => {
  const { sent, router } = await askForCode();
  expect(sent).toEqual([{ phone: "+12135550142" }]);
  expect(router.state.location.href).toBe("/sign-in/verify");
});

it("asks for all ten digits before it sends anything", async () => {
  const { user } = await renderRoute("/sign-in/getting-started");
  await user.type(await screen.findByLabelText("Mobile number"), "213555");
  await user.click(screen.getByRole("button", { name: "Text me a code" }));
  expect(await screen.findByText("Enter all 10 digits of your number.")).toBeTruthy();
});

it("takes the name of who is new, then leads to where the person wanted to go", async () => {
  const { user, router } = await askForCode("/sign-in/getting-started?next=%2Faccount");
  const named = vi.fn(() => maya);
  server.use(
    mockPost("/authentication/verify", () => ({ needsName: true, profile: fresh })),
    mockPost("/user/name", named),
  );
  await user.type(screen.getByLabelText("Six-digit code"), "123456");
  await user.type(await screen.findByLabelText("First name"), " Maya ");
  await user.click(screen.getByRole("button", { name: "Start ordering" }));
  expect(await screen.findByRole("heading", { name: "Maya Okafor" })).toBeTruthy();
  expect(named).toHaveBeenCalledWith({ firstName: "Maya", lastName: "" }, expect.anything());
  expect(router.state.location.pathname).toBe("/account");
});

it("lets who is known straight in", async () => {
  const { user, router } = await askForCode("/sign-in/getting-started?next=%2Faccount");
  server.use(mockPost("/authentication/verify", () => ({ needsName: false, profile: maya })));
  await user.type(screen.getByLabelText("Six-digit code"), "123456");
  await vi.waitFor(() => expect(router.state.location.pathname).toBe("/account"));
});

it("says what is wrong with a code and takes another", async () => {
  const { user } = await askForCode();
  server.use(mockPostError("/authentication/verify", { status: 422, errors: ["That code is not right."] }));
  const code = screen.getByLabelText<HTMLInputElement>("Six-digit code");
  await user.type(code, "000000");
  expect(await screen.findByText("That code is not right.")).toBeTruthy();
  expect(code.value).toBe("");
});

it.each(["https://evil.example", "//evil.example", "/\\evil.example"])(
  "does not lead to %s",
  async (next) => {
    const { router } = await renderRoute(`/sign-in/getting-started?next=${encodeURIComponent(next)}`);
    expect(router.state.location.search).toEqual({});
  },
);

it("starts over where no code was asked for", async () => {
  const { router } = await renderRoute("/sign-in/verify");
  await vi.waitFor(() => expect(router.state.location.pathname).toBe("/sign-in/getting-started"));
});
