/** Advisory locks of the product's database. Any numbers, kept together so that no two are the same. */
export const LOCKS = {
  /** Held by who migrates. */
  migration: 4_217_330_981,
  /** Shared by each commit that gives numbers to events, until it ends: readers see by its holders which numbers are still to come. */
  eventNumbers: 4_217_330_982,
  /** Shared by who commits rows that name files, held alone by who decides that files go. */
  files: 4_217_330_983,
  /** Held by who writes fingerprints until its transaction ends. */
  register: 4_217_330_984,
} as const;
