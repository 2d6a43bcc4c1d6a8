import { useQuery } from "@tanstack/react-query";
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
import { settingsQuery } from "@/features/account/queries";
import type { AccountSheet } from "@/features/account/sheet-names";
import { formatVehicle } from "@/lib/vehicle";
import type { Profile } from "@/shell/queries";
import { RowLink } from "@/shell/RowLink";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { RowContent, RowGroup, rowClass } from "@/ui/Row";

interface AccountMenuProps {
  profile: Profile;
  onOpen: (sheet: AccountSheet) => void;
}

/** Everything of the account that has a screen or a sheet of its own. */
export function AccountMenu({ profile, onOpen }: AccountMenuProps): ReactNode {
  const { points, shareCode } = profile;
  return (
    <>
      <RowGroup title="Rewards">
        <RowLink
          to="/rewards"
          icon={Sparkles}
          label="Rewards"
          detail={points !== null && formatPoints(points)}
        />
        {shareCode && (
          <RowLink
            to="/account/share"
            icon={UserPlus}
            label="Invite a friend"
            detail={`Your code: ${shareCode}`}
          />
        )}
      </RowGroup>
      <RowGroup title="Paying">
        <RowLink to="/wallet" icon={CreditCard} label="Payment methods" />
        <RowLink to="/wallet/auto-reload" icon={RefreshCw} label="Auto-reload" />
        <RowLink to="/gift-cards" icon={Gift} label="Gift cards" />
        <RowLink to="/account/pin" icon={KeyRound} label="PIN for the counter" />
      </RowGroup>
      <RowGroup title="Pickup">
        <VehicleRow onEdit={() => onOpen("car")} />
        <RowLink
          to="/explore/location-permissions"
          icon={MapPin}
          label="Location"
          detail={useLocationState()}
        />
      </RowGroup>
      <RowGroup title="App">
        <RowLink
          to="/account/settings"
          icon={SettingsIcon}
          label="Settings"
          detail="Notifications, appearance"
        />
        <RowLink to="/account/devices" icon={Smartphone} label="Devices" />
      </RowGroup>
      <RowGroup title="Help">
        <button type="button" className={rowClass} onClick={() => onOpen("help")}>
          <RowContent icon={CircleHelp} label="Questions and answers" />
        </button>
        <button type="button" className={rowClass} onClick={() => onOpen("feedback")}>
          <RowContent icon={MessageSquare} label="Send feedback" />
        </button>
      </RowGroup>
    </>
  );
}

const formatPoints = (points: number): string => (points === 1 ? "1 point" : `${points} points`);

/** The vehicle of this device, or else the one stored with the account. */
function VehicleRow({ onEdit }: { onEdit: () => void }): ReactNode {
  const { data: settings } = useQuery(settingsQuery);
  const vehicle = formatVehicle(useItem(device.vehicle)) || settings?.vehicle;
  return (
    <button type="button" className={rowClass} onClick={onEdit}>
      <RowContent icon={Car} label="Your car" detail={vehicle || "So we can find you at curbside pickup"} />
    </button>
  );
}

function useLocationState(): string {
  const location = useItem(device.locationServices);
  return location === "granted" ? "On" : "Off";
}
