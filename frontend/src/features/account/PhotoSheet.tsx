import Camera from "lucide-react/icons/camera";
import { type ReactNode, useEffect, useId, useState } from "react";
import { errorMessage } from "@/api/errors";
import { useModal } from "@/shell/modals";
import { Avatar } from "@/ui/Avatar";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { toast } from "@/ui/toast";
import { useRemovePhoto, useSetPhoto } from "./mutations";
import { checkPhoto, PHOTO_TYPES } from "./photo";

interface PhotoSheetProps {
  /** The address of the current photo; empty for none. */
  photo: string;
  firstName: string;
  lastName: string;
}

/** Chooses a photo, shows how it will look, and uploads it. Removes the current photo. */
export default function PhotoSheet({ photo, firstName, lastName }: PhotoSheetProps): ReactNode {
  const modal = useModal();
  const [file, setFile] = useState<File>();
  const [error, setError] = useState<string>();
  const preview = usePreview(file);
  const setPhoto = useSetPhoto();
  const removePhoto = useRemovePhoto();
  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    const problem = checkPhoto(chosen);
    setError(problem);
    if (!problem) setFile(chosen);
  };
  const closeWith = (message: string) => ({
    onSuccess: () => {
      modal?.close();
      toast(message, "success");
    },
    onError: (failure: Error) => setError(errorMessage(failure)),
  });
  const save = () => {
    if (!file) return setError("Choose a photo first.");
    setPhoto.mutate(file, closeWith("Photo saved"));
  };
  const remove = () => removePhoto.mutate(undefined, closeWith("Photo removed"));
  return (
    <Sheet
      title="Your photo"
      description="Only you see it. We remove where and when it was taken."
      action={
        <Button big busy={setPhoto.isPending} onClick={save}>
          Save photo
        </Button>
      }
    >
      <div className="grid justify-items-center gap-5 pt-4">
        <Avatar
          photo={preview || photo}
          firstName={firstName}
          lastName={lastName}
          className="size-40 t-hero"
        />
        <PhotoInput label={preview || photo ? "Choose another photo" : "Choose a photo"} onChoose={choose} />
        {photo !== "" && (
          <Button variant="danger" busy={removePhoto.isPending} onClick={remove}>
            Remove photo
          </Button>
        )}
        <p role="alert" className="t-small min-h-5 text-center text-danger">
          {error}
        </p>
      </div>
    </Sheet>
  );
}

interface PhotoInputProps {
  label: string;
  onChoose: (file: File | undefined) => void;
}

function PhotoInput({ label, onChoose }: PhotoInputProps): ReactNode {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className="t-strong inline-flex min-h-target cursor-pointer items-center gap-2 rounded-pill bg-accent-soft px-5 text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
    >
      <Camera aria-hidden="true" size={20} />
      {label}
      <input
        id={id}
        type="file"
        accept={PHOTO_TYPES.join()}
        className="sr-only"
        onChange={({ target }) => onChoose(target.files?.[0])}
      />
    </label>
  );
}

/** Returns an address that shows the file; empty without one. */
function usePreview(file: File | undefined): string {
  const [address, setAddress] = useState("");
  useEffect(() => {
    if (!file) return;
    const created = URL.createObjectURL(file);
    setAddress(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return address;
}
