/** Addresses under which Meta's servers fetch media. */
export interface MediaLinks {
  /** Whether there is an address that Meta can reach. */
  readonly isPublic: boolean;
  /** A signed address that stays valid for longer than a container lives. */
  forMeta(objectKey: string): string;
}
