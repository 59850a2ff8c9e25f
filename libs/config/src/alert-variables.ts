import * as read from './readers';
import type { VariableGroup } from './variable';

/** Receivers of alerts: any of webhook, Slack and mail, or none. */
export const ALERT_VARIABLES = {
  ALERT_WEBHOOK_URL: {
    schema: read.addressOrNone(),
    meaning: 'Receives a JSON message when publishing fails, a token expires, a job is dead or the bus keeps refusing messages.',
    secret: true,
  },
  ALERT_WEBHOOK_SECRET: {
    schema: read.text(),
    meaning: 'Signs the messages to ALERT_WEBHOOK_URL (HMAC-SHA256 in the header Autoposter-Signature).',
    secret: true,
  },
  ALERT_SLACK_URL: {
    schema: read.addressOrNone(),
    meaning: 'Incoming webhook of Slack, or of a service that accepts its messages, for the same alerts.',
    secret: true,
  },
  ALERT_SMTP_URL: {
    schema: read.mailServerOrNone(),
    meaning: 'Mail server for the same alerts, as smtps://user:password@host:465 or smtp://host:587; needs both addresses below.',
    secret: true,
  },
  ALERT_EMAIL_FROM: { schema: read.mailboxOrNone(), meaning: 'Sender of alert mails.' },
  ALERT_EMAIL_TO: { schema: read.mailboxes(), meaning: 'Receivers of alert mails, comma-separated.' },
} as const satisfies VariableGroup;
