import { zodResolver } from "@hookform/resolvers/zod";
import { type ReactNode, useId } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { useModal } from "@/shell/modals";
import { device } from "@/state/device";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { Sheet } from "@/ui/Sheet";

// Together no longer than what the order keeps of it.
const schema = z.object({
  color: z.string().check(z.trim(), z.minLength(1, "Which color is it?"), z.maxLength(12)),
  make: z.string().check(z.trim(), z.minLength(1, "Which make is it?"), z.maxLength(14)),
  plate: z.string().check(z.trim(), z.maxLength(10)),
});

interface VehicleSheetProps {
  /** Names what a press leads to. */
  submitLabel?: string;
  onSaved?: () => void;
}

/** Which car to bring it to; remembered by the device. */
export default function VehicleSheet({ submitLabel = "Save car", onSaved }: VehicleSheetProps): ReactNode {
  const here = useModal();
  const id = useId();
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: device.vehicle.get() ?? { color: "", make: "", plate: "" },
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit((vehicle) => {
    device.vehicle.set(vehicle);
    here?.close();
    onSaved?.();
  });
  return (
    <Sheet
      title="Your car"
      description="So that the bar finds you outside."
      action={
        <Button big type="submit" form={id}>
          {submitLabel}
        </Button>
      }
    >
      <form id={id} onSubmit={submit} noValidate className="grid gap-2 pt-2">
        <TextInput label="Color" error={errors.color?.message} maxLength={12} {...form.register("color")} />
        <TextInput label="Make" error={errors.make?.message} maxLength={14} {...form.register("make")} />
        <TextInput
          label="License plate, if you like"
          error={errors.plate?.message}
          maxLength={10}
          autoCapitalize="characters"
          {...form.register("plate")}
        />
      </form>
    </Sheet>
  );
}
