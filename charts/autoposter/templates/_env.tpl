{{/*
Variables in groups: a service gets only the groups that it reads, and no other secret. libs/config/src/service-environment.ts states which
service reads which variable; `npm run chart` compares both.
*/}}

{{/* List entries from a dictionary of names and values; omits empty values. */}}
{{- define "autoposter.env.plain" -}}
{{- range $name, $value := . }}
{{- if ne (toString $value) "" }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* List entries from the secret of a system, if it has one. Parameters: root, system, names (key in the values to variable), optional. */}}
{{- define "autoposter.env.secret" -}}
{{- $secret := include "autoposter.secretOf" . -}}
{{- $keys := (index .root.Values .system).keys -}}
{{- if $secret }}
{{- range $key, $name := .names }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ index $keys $key }}
      {{- if has $key ($.optional | default list) }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
The environment of a container: groups, variables of the service, then the values' additions for all services and for this one. The last entry of
a name wins and duplicates are removed, because Kubernetes and Helm refuse or reorder them. Parameters: root, groups (names of the templates
below), own (a dictionary), further (a list of dictionaries from the values).
*/}}
{{- define "autoposter.env" -}}
{{- $root := .root -}}
{{- $text := list -}}
{{- range .groups }}{{ $text = append $text (include (printf "autoposter.env.%s" .) $root) }}{{ end -}}
{{- $text = append $text (include "autoposter.env.plain" (.own | default dict)) -}}
{{- $text = append $text (.extra | default "") -}}
{{- $named := dict -}}
{{- $order := list -}}
{{- range (fromYamlArray (join "\n" $text)) }}
{{- if not (hasKey $named .name) }}{{ $order = append $order .name }}{{ end -}}
{{- $_ := set $named .name . -}}
{{- end -}}
{{- range .further }}
{{- range $name, $value := . }}
{{- if not (hasKey $named $name) }}{{ $order = append $order $name }}{{ end -}}
{{- $_ := set $named $name (dict "name" $name "value" (toString $value)) -}}
{{- end }}
{{- end -}}
{{- range $order }}
{{ list (get $named .) | toYaml }}
{{- end }}
{{- end -}}

{{- define "autoposter.env.infrastructure" -}}
{{- $values := .Values -}}
{{ include "autoposter.env.plain" (dict
  "NODE_ENV" ($values.quickstart.simulators.enabled | ternary "development" "production")
  "LOG_LEVEL" $values.logLevel
  "HOST" "0.0.0.0"
  "METRICS_PORT" 9100
  "DATA_DIR" "/work"
  "DATABASE_POOL_SIZE" $values.database.poolSize
  "DATABASE_STATEMENT_SECONDS" $values.database.statementSeconds
  "DATABASE_LOCK_SECONDS" $values.database.lockSeconds
  "EVENT_BUS" "kafka"
  "KAFKA_BROKERS" (include "autoposter.kafkaBrokers" .)
  "KAFKA_REPLICATION" $values.kafka.replication
  "OBJECT_STORE" "minio"
  "MINIO_ENDPOINT" (include "autoposter.objectStoreEndpoint" .)
  "MINIO_BUCKET" $values.objectStore.bucket
  "MINIO_REGION" $values.objectStore.region
  "OTEL_EXPORTER_OTLP_ENDPOINT" $values.tracing.endpoint) }}
{{- include "autoposter.env.secret" (dict "root" . "system" "database" "names" (dict "url" "DATABASE_URL")) }}
{{- include "autoposter.env.secret" (dict "root" . "system" "objectStore" "names" (dict "accessKey" "MINIO_ACCESS_KEY" "secretKey" "MINIO_SECRET_KEY")) }}
{{- end -}}

{{- define "autoposter.env.addresses" -}}
{{- $inside := "" -}}
{{- if include "autoposter.simulatedHost" . }}
{{- $inside = printf "http://%s:%v" (include "autoposter.gatewayHost" .) .Values.gateway.service.port }}
{{- end -}}
{{ include "autoposter.env.plain" (dict
  "PUBLIC_URL" .Values.publicUrl
  "CDN_BASE_URL" (.Values.cdnBaseUrl | default $inside)
  "TIME_ZONE" .Values.timeZone) }}
{{- end -}}

{{/* Keys that are missing in the secret are derived from it. Never passed to a worker that decodes media. */}}
{{- define "autoposter.env.sharedSecret" -}}
{{ include "autoposter.env.secret" (dict "root" . "system" "access"
  "names" (dict "jwtSecret" "JWT_SECRET" "jwtSecretPrevious" "JWT_SECRET_PREVIOUS")
  "optional" (list "jwtSecret" "jwtSecretPrevious")) }}
{{- end -}}

{{- define "autoposter.env.sessionKey" -}}
{{ include "autoposter.env.secret" (dict "root" . "system" "access"
  "names" (dict "sessionKey" "SESSION_KEY" "sessionKeyPrevious" "SESSION_KEY_PREVIOUS")
  "optional" (list "sessionKey" "sessionKeyPrevious")) }}
{{- end -}}

{{/* Signs media URLs, including those that Instagram fetches. */}}
{{- define "autoposter.env.linkKey" -}}
{{ include "autoposter.env.secret" (dict "root" . "system" "access"
  "names" (dict "linkKey" "LINK_KEY" "linkKeyPrevious" "LINK_KEY_PREVIOUS")
  "optional" (list "linkKey" "linkKeyPrevious")) }}
{{- end -}}

{{/* Decrypts the renewed Instagram token. */}}
{{- define "autoposter.env.sealingKey" -}}
{{ include "autoposter.env.secret" (dict "root" . "system" "access"
  "names" (dict "sealingKey" "SEALING_KEY" "sealingKeyPrevious" "SEALING_KEY_PREVIOUS")
  "optional" (list "sealingKey" "sealingKeyPrevious")) }}
{{- end -}}

{{/* Signs evidence bundles. */}}
{{- define "autoposter.env.evidenceKey" -}}
{{ include "autoposter.env.secret" (dict "root" . "system" "access"
  "names" (dict "evidenceKey" "EVIDENCE_KEY" "evidenceKeyPrevious" "EVIDENCE_KEY_PREVIOUS")
  "optional" (list "evidenceKey" "evidenceKeyPrevious")) }}
{{- end -}}

{{- define "autoposter.env.access" -}}
{{- $simulated := include "autoposter.simulatedHost" . -}}
{{- $consent := .Values.quickstart.simulators.consentUrl -}}
{{ include "autoposter.env.plain" (dict
  "ADMIN_EMAILS" (join "," .Values.access.adminEmails)
  "ADMIN_ACCOUNTS" (join "," .Values.access.adminAccounts)
  "GOOGLE_AUTHORIZATION_URL" (.Values.access.authorizationUrl | default (ternary (printf "%s/o/oauth2/v2/auth" $consent) "" (ne $simulated "")))
  "GOOGLE_TOKEN_URL" (.Values.access.tokenUrl | default (ternary (printf "http://%s:4007/token" $simulated) "" (ne $simulated "")))
  "GOOGLE_USERINFO_URL" (.Values.access.userinfoUrl | default (ternary (printf "http://%s:4007/v1/userinfo" $simulated) "" (ne $simulated "")))) }}
{{- include "autoposter.env.secret" (dict "root" . "system" "access" "names" (dict "googleClientId" "GOOGLE_CLIENT_ID" "googleClientSecret" "GOOGLE_CLIENT_SECRET")) }}
{{- end -}}

{{- define "autoposter.env.reddit" -}}
{{- $simulated := include "autoposter.simulatedHost" . -}}
{{ include "autoposter.env.plain" (dict
  "REDDIT_USER_AGENT" (.Values.reddit.userAgent | default (ternary "linux:autoposter-demo:0.1.0 (by /u/autoposter_demo)" "" (ne $simulated "")))
  "REDDIT_AUTH_URL" (.Values.reddit.authUrl | default (ternary (printf "http://%s:4001" $simulated) "" (ne $simulated "")))
  "REDDIT_API_URL" (.Values.reddit.apiUrl | default (ternary (printf "http://%s:4002" $simulated) "" (ne $simulated "")))
  "DOWNLOAD_EXTRA_ORIGINS" (ternary (printf "http://%s:4008" $simulated) "" (ne $simulated ""))) }}
{{- include "autoposter.env.secret" (dict "root" . "system" "reddit" "names" (dict "clientId" "REDDIT_CLIENT_ID" "clientSecret" "REDDIT_CLIENT_SECRET")) }}
{{- end -}}

{{- define "autoposter.env.instagram" -}}
{{- $simulated := include "autoposter.simulatedHost" . -}}
{{ include "autoposter.env.plain" (dict
  "INSTAGRAM_LOGIN_FLAVOUR" .Values.instagram.loginFlavour
  "INSTAGRAM_GRAPH_URL" (.Values.instagram.graphUrl | default (ternary (printf "http://%s:4003" $simulated) "" (ne $simulated "")))
  "INSTAGRAM_UPLOAD_URL" (.Values.instagram.uploadUrl | default (ternary (printf "http://%s:4004" $simulated) "" (ne $simulated "")))) }}
{{- include "autoposter.env.secret" (dict "root" . "system" "instagram"
  "names" (dict "accessToken" "INSTAGRAM_ACCESS_TOKEN" "businessAccountId" "INSTAGRAM_BUSINESS_ACCOUNT_ID")) }}
{{- end -}}

{{/* The apps that connect accounts, without their secrets. A browser does not reach the login page of the simulators in a cluster. */}}
{{- define "autoposter.env.instagramLogin" -}}
{{- if eq (include "autoposter.simulatedHost" .) "" }}
{{- include "autoposter.env.secret" (dict "root" . "system" "instagram"
  "names" (dict "appId" "INSTAGRAM_APP_ID" "facebookAppId" "FACEBOOK_APP_ID")
  "optional" (list "appId" "facebookAppId")) }}
{{- end }}
{{- end -}}

{{/* Signs calls with a token of Facebook Login. */}}
{{- define "autoposter.env.instagramSecret" -}}
{{ include "autoposter.env.secret" (dict "root" . "system" "instagram" "names" (dict "appSecret" "INSTAGRAM_APP_SECRET" "facebookAppSecret" "FACEBOOK_APP_SECRET")
  "optional" (list "appSecret" "facebookAppSecret")) }}
{{- end -}}

{{/* The apps of the tokens: they read expiry, sign calls and exchange codes of logins. */}}
{{- define "autoposter.env.instagramApp" -}}
{{ include "autoposter.env.plain" (dict "INSTAGRAM_HASHTAG_LIMIT" .Values.instagram.hashtagLimit) }}
{{- include "autoposter.env.secret" (dict "root" . "system" "instagram"
  "names" (dict "appId" "INSTAGRAM_APP_ID" "appSecret" "INSTAGRAM_APP_SECRET" "facebookAppId" "FACEBOOK_APP_ID" "facebookAppSecret" "FACEBOOK_APP_SECRET")
  "optional" (list "appId" "appSecret" "facebookAppId" "facebookAppSecret")) }}
{{- end -}}

{{- define "autoposter.env.models" -}}
{{- $simulated := include "autoposter.simulatedHost" . -}}
{{ include "autoposter.env.plain" (dict
  "INSTAGRAM_HASHTAG_LIMIT" .Values.instagram.hashtagLimit
  "AI_DAILY_LIMIT" .Values.ai.dailyLimit
  "GEMINI_API_URL" (.Values.gemini.url | default (ternary (printf "http://%s:4005" $simulated) "" (ne $simulated "")))
  "GEMINI_MODEL" .Values.gemini.model
  "GROQ_API_URL" (.Values.groq.url | default (ternary (printf "http://%s:4006" $simulated) "" (ne $simulated "")))
  "GROQ_MODEL" .Values.groq.model) }}
{{- include "autoposter.env.secret" (dict "root" . "system" "gemini" "names" (dict "apiKey" "GEMINI_API_KEY")) }}
{{- include "autoposter.env.secret" (dict "root" . "system" "groq" "names" (dict "apiKey" "GROQ_API_KEY")) }}
{{- end -}}

{{- define "autoposter.env.alerts" -}}
{{ include "autoposter.env.plain" (dict
  "ALERT_EMAIL_FROM" .Values.alerts.emailFrom
  "ALERT_EMAIL_TO" .Values.alerts.emailTo) }}
{{- include "autoposter.env.secret" (dict "root" . "system" "alerts"
  "names" (dict "webhookUrl" "ALERT_WEBHOOK_URL" "webhookSecret" "ALERT_WEBHOOK_SECRET" "slackUrl" "ALERT_SLACK_URL" "smtpUrl" "ALERT_SMTP_URL")
  "optional" (list "webhookUrl" "webhookSecret" "slackUrl" "smtpUrl")) }}
{{- end -}}
