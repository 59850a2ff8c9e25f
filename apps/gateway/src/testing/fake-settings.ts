import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { initialQueueSettings, NOT_PAUSED } from '@autoposter/domain';
import type { GatewaySettings } from '../bootstrap/settings';
import type { StoredSettings } from '../settings/stored-settings';

/** Settings that an administrator changed, on top of the initial ones. */
export function storedSettings(values: { queue?: object; publishing?: object; running?: boolean; account?: object } = {}): StoredSettings {
  const account = { id: ENVIRONMENT_ACCOUNT_ID, userId: 'account-1', api: null, ...values.account };
  return {
    queue: async () => ({ ...initialQueueSettings('UTC'), ...values.queue }),
    publishing: async () => ({ ...NOT_PAUSED, ...values.publishing }),
    account: async () => account,
    accountForQueue: async () => account,
    isRunning: async () => values.running ?? false,
    saveQueue: async () => undefined,
  } as unknown as StoredSettings;
}

export const gatewaySettings = (values: Partial<GatewaySettings> = {}): GatewaySettings =>
  ({
    instagramMissing: [],
    instagramAccountId: 'account-1',
    instagramApi: { flavour: 'facebook', version: 'v26.0' },
    maxHashtags: 5,
    aiDailyLimit: 50,
    alerts: { webhook: null, slackUrl: null, email: null },
    ...values,
  }) as GatewaySettings;
