import { createFileRoute } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { errorMessage } from "@/api/errors";
import { CardAdded } from "@/features/gift-cards/CardAdded";
import { useRedeemGiftCard } from "@/features/gift-cards/mutations";
import { Header } from "@/shell/Header";
import { BottomBar, Page } from "@/shell/Page";
import { requireSession } from "@/shell/session";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";

export const Route = createFileRoute("/wallet/redeem")({
  beforeLoad: requireSession,
  component: RedeemGiftCard,
});

const header = <Header title="Redeem a gift card" up={{ to: "/gift-cards" }} />;

function RedeemGiftCard(): ReactNode {
  const redeem = useRedeemGiftCard();
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  if (redeem.data) return <CardAdded card={redeem.data} header={header} />;
  const submit = () => {
    if (redeem.isPending) return;
    if (code.trim() === "") return setError("Enter the code.");
    redeem.mutate(code.trim(), { onError: (cause) => setError(errorMessage(cause)) });
  };
  return (
    <Page
      header={header}
      bar={
        <BottomBar>
          <Button big type="submit" form="redeem" busy={redeem.isPending}>
            Add to my wallet
          </Button>
        </BottomBar>
      }
    >
      <form
        id="redeem"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        className="px-gutter pt-5"
      >
        <TextInput
          label="Gift card code"
          hint="It's in the text or email you received: 16 letters and numbers."
          error={error}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={code}
          onChange={(event) => {
            setCode(event.target.value);
            setError(undefined);
          }}
        />
      </form>
    </Page>
  );
}
