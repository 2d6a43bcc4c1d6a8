import { createFileRoute } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { errorMessage } from "@/api/errors";
import { CardAdded } from "@/features/gift-cards/CardAdded";
import { useLinkGiftCard } from "@/features/gift-cards/mutations";
import { Header } from "@/shell/Header";
import { BottomBar, Page } from "@/shell/Page";
import { requireSession } from "@/shell/session";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";

export const Route = createFileRoute("/gift-cards/link")({
  beforeLoad: requireSession,
  component: LinkGiftCard,
});

const header = <Header title="Link a physical card" up={{ to: "/gift-cards" }} />;

function LinkGiftCard(): ReactNode {
  const link = useLinkGiftCard();
  const [number, setNumber] = useState("");
  const [pin, setPin] = useState("");
  const [error, setError] = useState<string>();
  if (link.data) return <CardAdded card={link.data} header={header} />;
  const submit = () => {
    if (link.isPending) return;
    if (number.trim() === "") return setError("Enter the card number.");
    const card = { number: number.trim(), ...(pin.trim() ? { pin: pin.trim() } : {}) };
    link.mutate(card, { onError: (cause) => setError(errorMessage(cause)) });
  };
  return (
    <Page
      header={header}
      bar={
        <BottomBar>
          <Button big type="submit" form="link" busy={link.isPending}>
            Add to my wallet
          </Button>
        </BottomBar>
      }
    >
      <form
        id="link"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        className="grid gap-4 px-gutter pt-5"
      >
        <TextInput
          label="Card number"
          hint="On the back of the card."
          error={error}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={number}
          onChange={(event) => {
            setNumber(event.target.value);
            setError(undefined);
          }}
        />
        <TextInput
          label="PIN, if the card has one"
          hint="Scratch off the strip on the back."
          inputMode="numeric"
          autoComplete="off"
          value={pin}
          onChange={(event) => {
            setPin(event.target.value);
            setError(undefined);
          }}
        />
      </form>
    </Page>
  );
}
