/** Stands for style sheets and fonts in tests. */
export const nothing = {};
