import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/my-joe")({
  component: RouteComponent,
});

function RouteComponent() {
  return <div>Hello "/my-joe"!</div>;
}
