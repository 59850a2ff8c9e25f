/** A link that stands by itself, outside a sentence: high enough to be hit. */
export const TARGET = { display: 'inline-flex', alignItems: 'center', minHeight: 24 } as const;
