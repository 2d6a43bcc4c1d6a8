/**
 * What the gateway writes into the page of each route (specification section 2, "Social-share metadata"): title and description,
 * and the calls to preload. The build writes this list into `pages.json`. After a route change the app sets title and description from
 * it. It is not part of the first script, unlike the `head` of a route.
 */
interface PageEntry {
  title: string;
  description: string;
  /** Name of the picture of shared links in `public/share`; that of the app by default. */
  image?: string;
  /** The first calls of the page, without a known position. `$storeId` is the parameter of the path. */
  preload?: readonly string[];
}

const WALLET = "Your JoePass, gift cards and every payment in one place.";
const CARDS = "Send coffee to a friend, or redeem the card you got.";
const ACCOUNT = "Your profile, payment methods and settings.";
const COMPANY = "Stores, cards and deals of a coffee company.";
const SIGN_IN = "Sign in with your phone number. We'll text you a code.";
const CONSOLE = "Orders, hours and items of a store.";

/** By the path of the route; more specific paths come first. */
export const pages: Readonly<Record<string, PageEntry>> = {
  "/": {
    title: "Order Ahead",
    description: "Order your coffee ahead, pay in the app and skip the line.",
    preload: ["/stores/list?take=3"],
  },
  "/explore": {
    image: "store",
    title: "Stores · Order Ahead",
    description: "Coffee stores near you, with their wait right now.",
    preload: ["/stores/list?take=40"],
  },
  "/explore/map": {
    image: "store",
    title: "Map of stores · Order Ahead",
    description: "Coffee stores near you on a map.",
  },
  "/explore/filtered": {
    title: "Search stores · Order Ahead",
    description: "Find a coffee store by name, street or city.",
  },
  "/explore/location-permissions": {
    title: "Your location · Order Ahead",
    description: "Why we ask for your location, and what works without it.",
  },
  "/store/$storeId/menu": {
    image: "store",
    title: "Menu · Order Ahead",
    description: "Pick a drink and make it yours. It's ready when you arrive.",
    preload: [
      "/store/info?storeId=$storeId",
      "/store/menu/categories?storeId=$storeId",
      "/store/menu?storeId=$storeId",
      "/store/pickup-options?storeId=$storeId",
      "/store/top-ordered?storeId=$storeId",
    ],
  },
  "/store/$storeId/item/$itemId": {
    image: "menu",
    title: "Make it yours · Order Ahead",
    description: "Choose size, milk and extras, and see your drink change.",
    preload: ["/item/details?storeId=$storeId&itemId=$itemId", "/store/info?storeId=$storeId"],
  },
  "/cart": { title: "Your cart · Order Ahead", description: "Check your items before you order." },
  "/checkout": { title: "Checkout · Order Ahead", description: "Choose how to pay and when to pick up." },
  "/orders": { title: "Orders · Order Ahead", description: "Track your order, or order it again." },
  "/orders/$orderId": {
    title: "Your order · Order Ahead",
    description: "Follow your order until it's ready.",
  },
  "/order/complete": { title: "Receipt · Order Ahead", description: "The receipt of an order." },
  "/my-joe": {
    image: "rewards",
    title: "My Joe · Order Ahead",
    description: "Your balance, points and rewards.",
  },
  "/rewards": {
    image: "rewards",
    title: "Rewards · Order Ahead",
    description: "Earn points with every order and trade them for drinks.",
  },
  "/inbox": { title: "Inbox · Order Ahead", description: "News about your orders and rewards." },
  "/wallet": { title: "Wallet · Order Ahead", description: WALLET },
  "/wallet/activity": { title: "Activity · Order Ahead", description: WALLET },
  "/wallet/add-funds": { title: "Add funds · Order Ahead", description: WALLET },
  "/wallet/auto-reload": { title: "Auto-reload · Order Ahead", description: WALLET },
  "/wallet/loyalty-cards": { title: "Your cards · Order Ahead", description: WALLET },
  "/wallet/redeem": { image: "gift-cards", title: "Redeem a gift card · Order Ahead", description: CARDS },
  "/gift-cards": { image: "gift-cards", title: "Gift cards · Order Ahead", description: CARDS },
  "/gift-cards/buy": { image: "gift-cards", title: "Buy a gift card · Order Ahead", description: CARDS },
  "/gift-cards/link": { title: "Link a physical card · Order Ahead", description: CARDS },
  "/company/$companyId": { image: "company", title: "Company · Order Ahead", description: COMPANY },
  "/company/$companyId/card": { title: "Company card · Order Ahead", description: COMPANY },
  "/company/$companyId/buy-card": { title: "Buy a company card · Order Ahead", description: COMPANY },
  "/account": { title: "Account · Order Ahead", description: ACCOUNT },
  "/account/settings": { title: "Settings · Order Ahead", description: ACCOUNT },
  "/account/devices": { title: "Devices · Order Ahead", description: ACCOUNT },
  "/account/delete": { title: "Delete account · Order Ahead", description: ACCOUNT },
  "/account/stop-notifications": { title: "Notifications · Order Ahead", description: ACCOUNT },
  "/account/verify-email": { title: "Verify your email · Order Ahead", description: ACCOUNT },
  "/account/pin": {
    title: "Pay at the counter · Order Ahead",
    description: "A PIN to pay with JoePass at the counter.",
  },
  "/account/share": {
    image: "lp-friends",
    title: "Invite a friend · Order Ahead",
    description: "Share your code. You both get points.",
  },
  "/account/add-credit-card": { title: "Add a card · Order Ahead", description: ACCOUNT },
  "/account/add-payment": { title: "Add a payment method · Order Ahead", description: ACCOUNT },
  "/account/link-bank-account": { title: "Link a bank account · Order Ahead", description: ACCOUNT },
  "/sign-in/getting-started": { title: "Sign in · Order Ahead", description: SIGN_IN },
  "/sign-in/verify": { title: "Your code · Order Ahead", description: SIGN_IN },
  "/lp/error": {
    title: "Something went wrong · Order Ahead",
    description: "Start again from home.",
  },
  "/store-console": { title: "Store console · Order Ahead", description: CONSOLE },
  "/store-console/hours": { title: "Hours · Store console", description: CONSOLE },
  "/store-console/sold-out": { title: "Sold out · Store console", description: CONSOLE },
  "/store-console/order-xray": { title: "Order records · Store console", description: CONSOLE },
  "/store-console/today": { title: "Today · Store console", description: CONSOLE },
};
