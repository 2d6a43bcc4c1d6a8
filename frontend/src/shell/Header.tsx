import type { NavigateOptions } from "@tanstack/react-router";
import ArrowLeft from "lucide-react/icons/arrow-left";
import type { ReactNode } from "react";
import { IconButton } from "@/ui/IconButton";
import { useGoBack } from "./use-go-back";

interface HeaderProps {
  title: string;
  /** For the first screen of a tab: a large title and no back button. */
  large?: boolean;
  /** At most two icon buttons, at the right. */
  actions?: ReactNode;
  /** The target of the back button if there is no previous screen in the app. */
  up?: NavigateOptions;
}

/** The top of a screen with its h1. */
export function Header({ title, large = false, actions, up = { to: "/" } }: HeaderProps): ReactNode {
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

interface BackButtonProps {
  up: NavigateOptions;
  onStage?: boolean;
}

export function BackButton({ up, onStage = false }: BackButtonProps): ReactNode {
  const goBack = useGoBack();
  return <IconButton icon={ArrowLeft} label="Back" onStage={onStage} onClick={() => goBack(up)} />;
}
