import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { buttonVariants } from "@/ui/button-variants";

export const SettingsLink = (): ReactNode => (
  <Link to="/account/settings" replace className={buttonVariants("solid")}>
    Open settings
  </Link>
);
