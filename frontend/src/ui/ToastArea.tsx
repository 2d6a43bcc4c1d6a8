import CircleCheck from "lucide-react/icons/circle-check";
import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import { createRoot } from "react-dom/client";
import { ToastContainer, toast } from "react-toastify";
import "react-toastify/dist/ReactToastify.css";
import type { ToastAction } from "./toast";

/** Long enough to reach the button with a keyboard. */
const ACTION_MS = 10_000;

/** The toast area of specification section 2: top center, 2000 ms, no progress bar, no close button. */
export function ToastArea() {
  return (
    <ToastContainer
      containerId="global-toast"
      position="top-center"
      autoClose={2000}
      hideProgressBar
      closeButton={false}
      limit={3}
      // The container is the live region. A toast with a role of its own would be announced twice.
      role="group"
      toastClassName={() =>
        "t-strong relative mx-auto mt-3 flex w-fit max-w-[calc(100vw-32px)] items-center gap-1 rounded-pill border border-inverse-line bg-inverse px-5 py-3 text-inverse-ink shadow-float"
      }
    />
  );
}

let mounted = false;

export function show(text: string, tone: "success" | "error" | "info", action?: ToastAction): void {
  if (!mounted) {
    mounted = true;
    const container = document.createElement("div");
    document.body.append(container);
    // A separate root, so that toasts survive route changes and errors of a screen.
    createRoot(container).render(<ToastArea />);
  }
  toast(action ? <WithAction text={text} {...action} /> : text, {
    containerId: "global-toast",
    type: tone,
    ...(action && { autoClose: ACTION_MS }),
    icon:
      tone === "info"
        ? false
        : tone === "success"
          ? () => <CircleCheck aria-hidden="true" size={20} className="shrink-0" />
          : () => <CircleAlert aria-hidden="true" size={20} className="shrink-0 text-inverse-crema" />,
  });
}

interface WithActionProps extends ToastAction {
  text: string;
  /** Passed by the toast library. */
  closeToast?: () => void;
}

function WithAction({ text, label, onPress, closeToast }: WithActionProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4">
      <span>{text}</span>
      <button
        type="button"
        onClick={() => {
          closeToast?.();
          onPress();
        }}
        className="-my-2 min-h-target text-inverse-accent underline"
      >
        {label}
      </button>
    </div>
  );
}
