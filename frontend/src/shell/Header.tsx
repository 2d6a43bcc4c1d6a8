import { useCanGoBack, useRouter } from "@tanstack/react-router";
import ArrowLeft from "lucide-react/icons/arrow-left";
import type { ReactNode } from "react";
import { IconButton } from "@/ui/IconButton";

interface HeaderProps {
  title: string;
  /** A tab's first screen: a large title, nothing to go back to. */
  large?: boolean;
  /** At the right: at most two icon buttons. */
  actions?: ReactNode;
  /** Where back leads when the person came from outside. */
  up?: string;
}

/** The top of a screen. Its title is the screen's h1. */
export function Header({ title, large = false, actions, up = "/" }: HeaderProps): ReactNode {
  if (large) {
    return (
      <header className="flex min-h-target items-center justify-between gap-4 px-gutter pt-5 pb-2">
        <h1 tabIndex={-1} className="t-display">
          {title}
        </h1>
        {actions && <div className="-mr-2.5 flex">{actions}</div>}
      </header>
    );
  }
  return (
    <header className="grid grid-cols-[1fr_auto_1fr] items-center px-2.5 pt-2">
      <BackButton up={up} />
      <h1 tabIndex={-1} className="t-strong text-center">
        {title}
      </h1>
      <div className="flex justify-end">{actions}</div>
    </header>
  );
}

/** Back to where the person came from; to `up` when that was outside the app. */
export function BackButton({ up, onStage = false }: { up: string; onStage?: boolean }): ReactNode {
  const router = useRouter();
  const inside = useCanGoBack();
  return (
    <IconButton
      icon={ArrowLeft}
      label="Back"
      onStage={onStage}
      onClick={() => (inside ? router.history.back() : void router.navigate({ to: up, replace: true }))}
    />
  );
}
