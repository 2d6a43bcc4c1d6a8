import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import Car from "lucide-react/icons/car";
import CircleHelp from "lucide-react/icons/circle-question-mark";
import CreditCard from "lucide-react/icons/credit-card";
import Gift from "lucide-react/icons/gift";
import KeyRound from "lucide-react/icons/key-round";
import MapPin from "lucide-react/icons/map-pin";
import MessageSquare from "lucide-react/icons/message-square";
import RefreshCw from "lucide-react/icons/refresh-cw";
import SettingsIcon from "lucide-react/icons/settings";
import Smartphone from "lucide-react/icons/smartphone";
import Sparkles from "lucide-react/icons/sparkles";
import UserPlus from "lucide-react/icons/user-plus";
import type { ReactNode } from "react";
import { useSaveSettings } from "@/features/account/mutations";
import { settingsQuery } from "@/features/account/queries";
import { formatVehicle } from "@/features/vehicle/format";
import { modals } from "@/shell/modals";
import type { Profile } from "@/shell/queries";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { RowContent, RowGroup, rowClass } from "@/ui/Row";

/** Everything of the account that has a screen or a sheet of its own. */
export function AccountMenu({ profile }: { profile: Profile }): ReactNode {
  const { points, shareCode } = profile;
  return (
    <>
      <RowGroup title="Rewards">
        <Link to="/rewards" className={rowClass}>
          <RowContent icon={Sparkles} label="Rewards" detail={points !== null && formatPoints(points)} />
        </Link>
        {shareCode && (
          <Link to="/account/share" className={rowClass}>
            <RowContent icon={UserPlus} label="Invite a friend" detail={`Your code: ${shareCode}`} />
          </Link>
        )}
      </RowGroup>
      <RowGroup title="Paying">
        <Link to="/wallet" className={rowClass}>
          <RowContent icon={CreditCard} label="Payment methods" />
        </Link>
        <Link to="/wallet/auto-reload" className={rowClass}>
          <RowContent icon={RefreshCw} label="Auto-reload" />
        </Link>
        <Link to="/gift-cards" className={rowClass}>
          <RowContent icon={Gift} label="Gift cards" />
        </Link>
        <Link to="/account/pin" className={rowClass}>
          <RowContent icon={KeyRound} label="PIN for the counter" />
        </Link>
      </RowGroup>
      <RowGroup title="Pickup">
        <VehicleRow />
        <Link to="/explore/location-permissions" className={rowClass}>
          <RowContent icon={MapPin} label="Location" detail={useLocationState()} />
        </Link>
      </RowGroup>
      <RowGroup title="App">
        <Link to="/account/settings" className={rowClass}>
          <RowContent icon={SettingsIcon} label="Settings" detail="Notifications, appearance" />
        </Link>
        <Link to="/account/devices" className={rowClass}>
          <RowContent icon={Smartphone} label="Devices" />
        </Link>
      </RowGroup>
      <RowGroup title="Help">
        <button type="button" className={rowClass} onClick={openHelp}>
          <RowContent icon={CircleHelp} label="Questions and answers" />
        </button>
        <button type="button" className={rowClass} onClick={openFeedback}>
          <RowContent icon={MessageSquare} label="Send feedback" />
        </button>
      </RowGroup>
    </>
  );
}

const openHelp = () => modals.load("help", () => import("@/features/account/HelpSheet"), {});
const openFeedback = () => modals.load("feedback", () => import("@/features/account/FeedbackSheet"), {});

const formatPoints = (points: number): string => (points === 1 ? "1 point" : `${points} points`);

/** The vehicle of this device, or else the one stored with the account. Saving it stores both. */
function VehicleRow(): ReactNode {
  const { data: settings } = useQuery(settingsQuery);
  const saveSettings = useSaveSettings();
  const vehicle = formatVehicle(useItem(device.vehicle)) || settings?.vehicle;
  const edit = () =>
    modals.load("vehicle", () => import("@/features/vehicle/VehicleSheet"), {
      onSaved: () => saveSettings.mutate({ vehicle: formatVehicle(device.vehicle.get()) }),
    });
  return (
    <button type="button" className={rowClass} onClick={edit}>
      <RowContent icon={Car} label="Your car" detail={vehicle || "So we can find you at curbside pickup"} />
    </button>
  );
}

function useLocationState(): string {
  const location = useItem(device.locationServices);
  return location === "granted" ? "On" : "Off";
}
