{{/* Leaves space for suffixes: names of KEDA resources have at most 63 characters. */}}
{{- define "autoposter.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- (contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name)) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Selector labels of one component; constant within a release. Parameters: root, component. */}}
{{- define "autoposter.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* Parameters: root, component, partOf (only for third-party components). */}}
{{- define "autoposter.labels" -}}
{{ include "autoposter.selector" . }}
app.kubernetes.io/part-of: {{ .partOf | default "autoposter" }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Parameters: root, kind (node or media). */}}
{{- define "autoposter.image" -}}
{{- $image := index .root.Values.image .kind -}}
{{- $repository := $image.repository -}}
{{- with .root.Values.image.registry }}{{ $repository = printf "%s/%s" (trimSuffix "/" .) $repository }}{{ end -}}
{{- if $image.digest -}}
{{ $repository }}@{{ $image.digest }}
{{- else -}}
{{ $repository }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* Security context of a container without privileges. */}}
{{- define "autoposter.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Settings that all pods of the product share. Parameters: root, component, own (the values of the component). */}}
{{- define "autoposter.pod" -}}
serviceAccountName: {{ include "autoposter.fullname" .root }}-{{ .component }}
automountServiceAccountToken: {{ eq .component "gateway" | ternary .root.Values.gateway.rbac.create false }}
# otherwise a Service named kafka adds KAFKA_PORT and similar variables to the environment
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .own }}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .topologySpreadConstraints }}
topologySpreadConstraints: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "autoposter.volumeMounts" -}}
- name: work
  mountPath: /work
- name: tmp
  mountPath: /tmp
{{- end -}}

{{/* Parameter: the size of the work folder. */}}
{{- define "autoposter.volumes" -}}
- name: work
  emptyDir:
    sizeLimit: {{ . }}
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
{{- end -}}

{{/* Restarts pods when configuration that they read at start has changed. */}}
{{- define "autoposter.podAnnotations" -}}
{{- if .root.Values.quickstart.simulators.enabled }}
autoposter/simulated: {{ include "autoposter.simulated.secrets" .root | sha256sum | trunc 16 | quote }}
{{- end }}
{{- with .own.podAnnotations }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "autoposter.kafkaBrokers" -}}
{{- if .Values.kafka.brokers -}}
{{ join "," .Values.kafka.brokers }}
{{- else if .Values.quickstart.enabled -}}
{{ include "autoposter.fullname" . }}-kafka.{{ .Release.Namespace }}.svc:9092
{{- end -}}
{{- end -}}

{{- define "autoposter.objectStoreEndpoint" -}}
{{- .Values.objectStore.endpoint | default (.Values.quickstart.enabled | ternary (printf "http://%s-minio.%s.svc:9000" (include "autoposter.fullname" .) .Release.Namespace) "") -}}
{{- end -}}

{{/* The secret of an external system: the given one, otherwise that of the quickstart or the simulators. Parameters: root, system. */}}
{{- define "autoposter.secretOf" -}}
{{- $values := index .root.Values .system -}}
{{- $quickstart := .root.Values.quickstart -}}
{{- if $values.existingSecret -}}
{{ $values.existingSecret }}
{{- else if and $quickstart.enabled (has .system (list "database" "objectStore")) -}}
{{ include "autoposter.fullname" .root }}-quickstart
{{- else if and $quickstart.enabled $quickstart.simulators.enabled (has .system (list "access" "reddit" "instagram" "gemini" "groq")) -}}
{{ include "autoposter.fullname" .root }}-simulated
{{- end -}}
{{- end -}}

{{/* Refuses invalid values and reports all errors together. */}}
{{- define "autoposter.validate" -}}
{{- $wrong := list -}}
{{- if not .Values.publicUrl }}{{ $wrong = append $wrong "publicUrl: is missing" }}{{ end -}}
{{- if not .Values.access.adminEmails }}{{ $wrong = append $wrong "access.adminEmails: is empty, so no administrator could sign in" }}{{ end -}}
{{- if not (include "autoposter.kafkaBrokers" .) }}{{ $wrong = append $wrong "kafka.brokers: is empty" }}{{ end -}}
{{- if not (include "autoposter.objectStoreEndpoint" .) }}{{ $wrong = append $wrong "objectStore.endpoint: is missing" }}{{ end -}}
{{- range $system := list "access" "database" "objectStore" }}
{{- if not (include "autoposter.secretOf" (dict "root" $ "system" $system)) }}{{ $wrong = append $wrong (printf "%s.existingSecret: is missing" $system) }}{{ end -}}
{{- end -}}
{{- if and .Values.quickstart.simulators.enabled (not .Values.quickstart.enabled) }}{{ $wrong = append $wrong "quickstart.simulators: only with quickstart.enabled" }}{{ end -}}
{{- if and .Values.quickstart.enabled (eq .Values.migrations.mode "hook") }}{{ $wrong = append $wrong "migrations.mode: a hook runs before the quickstart database exists; use job" }}{{ end -}}
{{- if and .Values.gateway.ingress.enabled .Values.gateway.httpRoute.enabled }}{{ $wrong = append $wrong "gateway: enable either ingress or httpRoute" }}{{ end -}}
{{- if not .Values.quickstart.simulators.enabled }}
{{- range $name, $url := dict "publicUrl" .Values.publicUrl "access.authorizationUrl" .Values.access.authorizationUrl "access.tokenUrl" .Values.access.tokenUrl "access.userinfoUrl" .Values.access.userinfoUrl }}
{{- if and (hasPrefix "http://" $url) (not (regexMatch "^http://(localhost|127\\.[0-9.]+|\\[::1\\])(:|/|$)" $url)) }}{{ $wrong = append $wrong (printf "%s: has to be https" $name) }}{{ end -}}
{{- end }}
{{- end }}
{{- if .Values.networkPolicy.enabled }}
{{- range $system := append (include "autoposter.network.outside" . | fromJsonArray) "dns" }}
{{- if not (index $.Values.networkPolicy $system).to }}{{ $wrong = append $wrong (printf "networkPolicy.%s.to: is empty, which would open its port to any address; add the peers of the system" $system) }}{{ end -}}
{{- end }}
{{- if and .Values.gateway.rbac.create (not .Values.networkPolicy.kubernetesApi.to) }}{{ $wrong = append $wrong "networkPolicy.kubernetesApi.to: is empty, which would open its port to any address; add the peers of the system" }}{{ end -}}
{{- end }}
{{- $stops := add .Values.gateway.preStopSeconds .Values.gateway.shutdownDelaySeconds 15 -}}
{{- if lt (int .Values.gateway.terminationGracePeriodSeconds) (int $stops) }}{{ $wrong = append $wrong (printf "gateway.terminationGracePeriodSeconds: has to be %d or more, so that open requests end after preStopSeconds and shutdownDelaySeconds" (int $stops)) }}{{ end -}}
{{- range $app := list "downloader" "dmcaWorker" "aiWorker" "instagramPoster" }}
{{- $scale := (index $.Values $app).autoscaling -}}
{{- if gt (int $scale.minReplicas) (int $scale.maxReplicas) }}{{ $wrong = append $wrong (printf "%s.autoscaling: minReplicas is above maxReplicas" $app) }}{{ end -}}
{{- end -}}
{{- if $wrong }}{{ fail (printf "\n\nInvalid values:\n  - %s\n" (join "\n  - " $wrong)) }}{{ end -}}
{{- end -}}

{{/* The gateway needs its database to start; an init container that waits is faster than repeated restarts. */}}
{{- define "autoposter.waitForDatabase" -}}
- name: wait-for-database
  image: {{ include "autoposter.image" (dict "root" . "kind" "node") }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  command:
    - node
    - -e
    - |
      const { hostname, port } = new URL(process.env.DATABASE_URL);
      const attempt = () => {
        const socket = require('node:net').connect({ host: hostname, port: Number(port || 5432), timeout: 3000 });
        socket.on('connect', () => process.exit(0));
        socket.on('timeout', () => socket.destroy(new Error('no answer')));
        socket.on('error', (error) => { console.log(`waiting for ${hostname}: ${error.message}`); setTimeout(attempt, 1000); });
      };
      attempt();
  env:
    {{- include "autoposter.env.secret" (dict "root" . "system" "database" "names" (dict "url" "DATABASE_URL")) | trim | nindent 4 }}
  securityContext: {{- include "autoposter.containerSecurity" . | nindent 4 }}
  resources:
    requests: { cpu: 10m, memory: 32Mi }
    limits: { memory: 128Mi }
{{- end -}}

{{/* Pod template of the migration. Parameters: root, component, own. */}}
{{- define "autoposter.migration.pod" -}}
metadata:
  labels: {{- include "autoposter.labels" . | nindent 4 }}
spec:
  {{- include "autoposter.pod" . | nindent 2 }}
  restartPolicy: OnFailure
  containers:
    - name: migrate
      image: {{ include "autoposter.image" (dict "root" .root "kind" "node") }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      command: [node, dist/tools/migrate/main.cjs]
      env:
        {{- include "autoposter.env" (dict "root" .root "groups" (list "infrastructure") "further" (list .root.Values.env)) | trim | nindent 8 }}
      securityContext: {{- include "autoposter.containerSecurity" .root | nindent 8 }}
      resources: {{- toYaml .root.Values.migrations.resources | nindent 8 }}
      volumeMounts: {{- include "autoposter.volumeMounts" .root | nindent 8 }}
  volumes: {{- include "autoposter.volumes" "64Mi" | nindent 4 }}
{{- end -}}

{{/* Host name of the gateway in the cluster. */}}
{{- define "autoposter.gatewayHost" -}}
{{ include "autoposter.fullname" . }}-gateway.{{ .Release.Namespace }}.svc
{{- end -}}

{{- define "autoposter.simulatedHost" -}}
{{- if and .Values.quickstart.enabled .Values.quickstart.simulators.enabled -}}
{{ include "autoposter.fullname" . }}-simulators.{{ .Release.Namespace }}.svc
{{- end -}}
{{- end -}}
