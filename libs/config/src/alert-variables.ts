import * as read from './readers';
import type { VariableGroup } from './variable';

/** Where administrators are told what needs them: any of the three, or none. */
export const ALERT_VARIABLES = {
  ALERT_WEBHOOK_URL: {
    schema: read.addressOrNone(),
    meaning: 'Gets a JSON message when publishing fails, a token expires, a job is dead or the bus keeps refusing messages.',
    defaultText: '',
    secret: true,
  },
  ALERT_WEBHOOK_SECRET: {
    schema: read.text(),
    meaning: 'Signs the messages to ALERT_WEBHOOK_URL (HMAC-SHA256 in the header Autoposter-Signature).',
    defaultText: '',
    secret: true,
  },
  ALERT_SLACK_URL: {
    schema: read.addressOrNone(),
    meaning: 'Incoming webhook of Slack, or of a service that accepts its messages, for the same alerts.',
    defaultText: '',
    secret: true,
  },
  ALERT_SMTP_URL: {
    schema: read.mailServerOrNone(),
    meaning: 'Mail server for the same alerts, as smtps://user:password@host:465 or smtp://host:587; needs both addresses below.',
    defaultText: '',
    secret: true,
  },
  ALERT_EMAIL_FROM: { schema: read.mailboxOrNone(), meaning: 'Sender of alert mails.', defaultText: '' },
  ALERT_EMAIL_TO: { schema: read.mailboxes(), meaning: 'Receivers of alert mails, comma-separated.', defaultText: '' },
} as const satisfies VariableGroup;
