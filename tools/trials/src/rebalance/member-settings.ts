/** What a member process is told when it starts. */
export interface MemberSettings {
  name: string;
  brokers: string[];
  databaseUrl: string;
  startsFile: string;
  workRoot: string;
  leaseSeconds: number;
  sessionMs: number;
  slots: number;
}
