//! Valid messages of the services.

use proto::ordering::v1::{Order, OrderStatus, PickupKind};
use proto::stores::v1::{OpenState, Store};

pub fn order(status: OrderStatus) -> Order {
    let mut order = Order {
        order_id: "ord_1".into(),
        version: 1,
        ..Default::default()
    };
    order.set_status(status);
    order.set_pickup(PickupKind::Counter);
    order
}

pub fn store() -> Store {
    let mut store = Store {
        store_id: "str_1".into(),
        name: "Sunset".into(),
        ..Default::default()
    };
    store.set_open_state(OpenState::Open);
    store
}
