/** The settings of this deployment. */
interface AppConfig {
  /** Receives error reports. */
  errorReportsUrl?: string;
  /** Receives route changes and sessions outside of a native shell. */
  analyticsUrl?: string;
  /** Leads to the app store of the device. */
  appStoreUrl?: string;
  /** The MapLibre style of the map of stores. */
  mapStyleUrl?: string;
}

/** Returns the settings that the gateway writes into the page. A development server writes none. */
export function readAppConfig(): AppConfig {
  const content = document.querySelector<HTMLMetaElement>('meta[name="app-config"]')?.content;
  return content ? JSON.parse(content) : {};
}
