import { useNavigate } from "@tanstack/react-router";
import TicketPercent from "lucide-react/icons/ticket-percent";
import type { MouseEvent, ReactNode } from "react";
import { cents, formatMoney } from "@/lib/money";
import { isInNativeShell } from "@/native/shell";
import { BottomBar, Page } from "@/shell/Page";
import { useShareMetadata } from "@/shell/share-metadata";
import { applyPromo } from "@/state/apply-promo";
import { buttonVariants } from "@/ui/button-variants";
import { Logo } from "@/ui/Logo";
import { LandingPicture, shareImage } from "./LandingPicture";
import type { LandingPage } from "./queries";

interface LandingProps {
  page: LandingPage;
  /** Below the title: who invites. */
  children?: ReactNode;
  /** Before the call to action is followed. */
  onFollow?: () => void;
}

/** A landing page: picture, title, text, promo and call to action. */
export function Landing({ page, children, onFollow }: LandingProps): ReactNode {
  const { hero, promo } = page;
  useShareMetadata({
    title: `${hero.title} · Order Ahead`,
    description: hero.subtitle,
    image: shareImage(hero.picture),
  });
  const canUsePromo = promo !== null && (!promo.isAppOnly || isInNativeShell());
  const follow = () => {
    if (canUsePromo) applyPromo(promo.code);
    onFollow?.();
  };
  return (
    <Page
      header={
        <header className="relative">
          <LandingPicture name={hero.picture} />
          <div className="absolute top-5 left-gutter z-4 text-ink">
            <Logo height={22} />
          </div>
        </header>
      }
      bar={
        <BottomBar>
          <CallToAction {...page.callToAction} onFollow={follow} />
        </BottomBar>
      }
    >
      <div className="grid gap-4 px-gutter pt-7">
        <div>
          <h1 tabIndex={-1} className="t-display break-words">
            {hero.title}
          </h1>
          {hero.subtitle && <p className="t-heading mt-2 text-balance text-ink-2">{hero.subtitle}</p>}
        </div>
        {children}
        {page.copy.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {promo && <Promo promo={promo} canUse={canUsePromo} />}
      </div>
    </Page>
  );
}

interface CallToActionProps {
  label: string;
  path: string;
  onFollow: () => void;
}

/** A link within the app. Other addresses lead to home. */
function CallToAction({ label, path, onFollow }: CallToActionProps): ReactNode {
  const navigate = useNavigate();
  const href = /^\/(?![/\\])/.test(path) ? path : "/";
  const follow = (event: MouseEvent) => {
    onFollow();
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void navigate({ href });
  };
  return (
    <a href={href} onClick={follow} className={buttonVariants("solid", { big: true })}>
      {label}
    </a>
  );
}

interface PromoProps {
  promo: NonNullable<LandingPage["promo"]>;
  canUse: boolean;
}

function Promo({ promo, canUse }: PromoProps): ReactNode {
  return (
    <section aria-label="Promo" className="flex gap-3.5 rounded-card bg-surface p-4">
      <TicketPercent aria-hidden="true" size={24} strokeWidth={1.75} className="shrink-0 text-ink-2" />
      <div className="min-w-0">
        <p className="t-strong num">
          {formatDiscount(promo)} off with {promo.code}
        </p>
        <p className="t-small text-ink-2">
          {canUse ? "We'll add it to your cart. You'll see it at checkout." : "Works in the app only."}
        </p>
      </div>
    </section>
  );
}

/** "$3" or "15%". Percentages are parts per million. */
function formatDiscount({ type, value }: PromoProps["promo"]): string {
  return type === "percent" ? `${value / 10_000}%` : formatMoney(cents(value), { bare: true });
}
