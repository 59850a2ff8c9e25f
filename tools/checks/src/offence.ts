/** Something that breaks a rule: where, which rule, and what to do about it. */
export interface Offence {
  /** From the root of the workspace, with `:line` where there is one. */
  file: string;
  rule: string;
  fix: string;
}

export interface Check {
  name: string;
  run(root: string): Promise<Offence[]>;
}
