{{/*
A worker: one process that runs the stages whose values name its app. Parameters of all templates below:
  root; app, its name and folder; own, its values; image; groups, of variables.
*/}}

{{- define "autoposter.worker.labels" -}}
{{ include "autoposter.labels" (dict "root" .root "component" .app) }}
{{- end -}}

{{- define "autoposter.worker.deployment" -}}
{{- $name := printf "%s-%s" (include "autoposter.fullname" .root) .app -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels: {{- include "autoposter.worker.labels" . | nindent 4 }}
spec:
  {{- if not .own.autoscaling.enabled }}
  replicas: {{ .own.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  # no pod beyond maxReplicas: together they use nearly all connections of the database
  strategy:
    rollingUpdate: { maxUnavailable: 1, maxSurge: 0 }
  selector:
    matchLabels: {{- include "autoposter.selector" (dict "root" .root "component" .app) | nindent 6 }}
  template:
    metadata:
      labels: {{- include "autoposter.worker.labels" . | nindent 8 }}
      {{- with include "autoposter.podAnnotations" . | trim }}
      annotations: {{- . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "autoposter.pod" (dict "root" .root "component" .app "own" .own) | nindent 6 }}
      # running jobs have drainSeconds to finish; then the process releases them
      terminationGracePeriodSeconds: {{ add (int .own.drainSeconds) 20 }}
      containers:
        - name: {{ .app }}
          image: {{ include "autoposter.image" (dict "root" .root "kind" .image) }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          command: [node, dist/apps/{{ .app }}/main.cjs]
          env:
            {{- include "autoposter.env" (dict
              "root" .root
              "groups" (prepend .groups "infrastructure")
              "own" (dict "DRAIN_SECONDS" .own.drainSeconds)
              "further" (list .root.Values.env .own.env)) | trim | nindent 12 }}
          ports:
            - name: metrics
              containerPort: 9100
          startupProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 1
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 20
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: metrics }
            periodSeconds: 5
            timeoutSeconds: 5
          securityContext: {{- include "autoposter.containerSecurity" .root | nindent 12 }}
          resources: {{- toYaml .own.resources | nindent 12 }}
          volumeMounts: {{- include "autoposter.volumeMounts" .root | nindent 12 }}
      volumes: {{- include "autoposter.volumes" .own.workSize | nindent 8 }}
{{- end -}}

{{/* One trigger per stage. Lag includes work in progress, so a busy pod is not scaled down. */}}
{{- define "autoposter.worker.scaledObject" -}}
{{- if .own.autoscaling.enabled }}
{{- $name := printf "%s-%s" (include "autoposter.fullname" .root) .app -}}
{{- $values := .root.Values -}}
{{- $app := .app -}}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: {{ $name }}
  labels: {{- include "autoposter.worker.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    name: {{ $name }}
  pollingInterval: {{ $values.autoscaling.pollingInterval }}
  cooldownPeriod: {{ $values.autoscaling.cooldownPeriod }}
  minReplicaCount: {{ .own.autoscaling.minReplicas }}
  maxReplicaCount: {{ .own.autoscaling.maxReplicas }}
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        scaleUp:
          stabilizationWindowSeconds: 0
          policies:
            - { type: Pods, value: 4, periodSeconds: 30 }
        # each rebalance pauses the whole consumer group: scale one pod at a time, and rarely
        scaleDown:
          stabilizationWindowSeconds: {{ $values.autoscaling.scaleDownStabilizationSeconds }}
          policies:
            - { type: Pods, value: 1, periodSeconds: 60 }
  triggers:
    {{- range $stage, $facts := $values.stages }}
    {{- if eq $facts.app $app }}
    - type: kafka
      name: {{ $stage }}
      metadata:
        bootstrapServers: {{ include "autoposter.kafkaBrokers" $.root }}
        consumerGroup: {{ $app }}.{{ $stage }}
        topic: pipeline.{{ $stage }}.requested.v1
        lagThreshold: {{ $facts.lagPerPod | quote }}
        activationLagThreshold: "0"
        # a group without an offset starts at the first message, as the workers do
        offsetResetPolicy: earliest
        version: {{ $values.kafka.version | quote }}
    {{- end }}
    {{- end }}
{{- end }}
{{- end -}}

{{- define "autoposter.worker.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "autoposter.fullname" .root }}-{{ .app }}
  labels: {{- include "autoposter.worker.labels" . | nindent 4 }}
automountServiceAccountToken: false
{{- end -}}

{{- define "autoposter.worker.podDisruptionBudget" -}}
{{- if .own.podDisruptionBudget.enabled }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "autoposter.fullname" .root }}-{{ .app }}
  labels: {{- include "autoposter.worker.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "autoposter.selector" (dict "root" .root "component" .app) | nindent 6 }}
{{- end }}
{{- end -}}
