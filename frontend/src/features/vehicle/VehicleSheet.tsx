import { valibotResolver } from "@hookform/resolvers/valibot";
import { type ReactNode, useId } from "react";
import { useForm } from "react-hook-form";
import * as v from "valibot";
import { write } from "@/api/client";
import { formatVehicle } from "@/lib/vehicle";
import { useModal } from "@/shell/modals";
import { device } from "@/state/device";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { Sheet } from "@/ui/Sheet";

// Together these are shorter than the vehicle limit of the contract.
const schema = v.object({
  color: v.pipe(v.string(), v.trim(), v.minLength(1, "Enter your car's color."), v.maxLength(12)),
  make: v.pipe(v.string(), v.trim(), v.minLength(1, "Enter your car's make."), v.maxLength(14)),
  plate: v.pipe(v.string(), v.trim(), v.maxLength(10)),
});

interface VehicleSheetProps {
  submitLabel?: string;
  onSaved?: () => void;
}

/** Edits the vehicle for curbside pickup, which is stored on the device and with the account. */
export default function VehicleSheet({ submitLabel = "Save car", onSaved }: VehicleSheetProps): ReactNode {
  const modal = useModal();
  const id = useId();
  const form = useForm({
    resolver: valibotResolver(schema),
    defaultValues: device.vehicle.get() ?? { color: "", make: "", plate: "" },
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit((vehicle) => {
    device.vehicle.set(vehicle);
    // For the consumer's other devices. Without a connection this device still has it, and saves it after the next start.
    if (device.user.get()) {
      write("/user/save-settings", { vehicle: formatVehicle(vehicle) }).catch(() => undefined);
    }
    modal?.close();
    onSaved?.();
  });
  return (
    <Sheet
      title="Your car"
      description="So we can find you outside."
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
          label="License plate (optional)"
          error={errors.plate?.message}
          maxLength={10}
          autoCapitalize="characters"
          {...form.register("plate")}
        />
      </form>
    </Sheet>
  );
}
