import { Navigate } from "@tanstack/react-router";
import { memo } from "react";

/** Opens a page once. `Navigate` does so at each rendering, and would leave a page that was opened in the meantime. */
export const Redirect = memo(({ to }: { to: string }) => <Navigate to={to} replace />);
