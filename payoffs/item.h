/* item.h: the numbers of an item that all kinds have. Lanes only. */
#ifndef LEVY_PAYOFFS_ITEM_H
#define LEVY_PAYOFFS_ITEM_H

/* The terms of an item; most have a meaning of their own in each kind. An item carries up to three
 * lanes along a path. They start with the values of START, SECOND and 0. */
enum {
    ITEM_SIGN,
    ITEM_STRIKE,
    ITEM_START,
    ITEM_A,
    ITEM_B,
    ITEM_C,
    ITEM_D,
    ITEM_E,
    ITEM_F,
    ITEM_G,
    ITEM_H,
    ITEM_SECOND = 15
};

#endif
