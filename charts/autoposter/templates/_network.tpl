{{/* Peers and ports as one rule; without peers any address. */}}
{{- define "autoposter.network.to" -}}
- ports:
    {{- range .ports }}
    - port: {{ . }}
      protocol: TCP
    {{- end }}
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* To pods of this release. Takes root, component and ports. */}}
{{- define "autoposter.network.toComponent" -}}
- ports:
    {{- range .ports }}
    - port: {{ . }}
      protocol: TCP
    {{- end }}
  to:
    - podSelector:
        matchLabels: {{- include "autoposter.selector" . | nindent 10 }}
{{- end -}}

{{/* Names, and the systems that every service uses. */}}
{{- define "autoposter.network.systems" -}}
{{- $policy := .Values.networkPolicy -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
{{- if .Values.quickstart.enabled }}
{{ include "autoposter.network.toComponent" (dict "root" . "component" "postgres" "ports" (list 5432)) }}
{{ include "autoposter.network.toComponent" (dict "root" . "component" "kafka" "ports" (list 9092)) }}
{{ include "autoposter.network.toComponent" (dict "root" . "component" "minio" "ports" (list 9000)) }}
{{- else }}
{{ include "autoposter.network.to" $policy.database }}
{{ include "autoposter.network.to" $policy.kafka }}
{{ include "autoposter.network.to" $policy.objectStore }}
{{- end }}
{{- with .Values.tracing.endpoint }}
{{ include "autoposter.network.to" (dict "ports" (list 4318)) }}
{{- end }}
{{- end -}}

{{/* The internet by https, and not what lies around us. */}}
{{- define "autoposter.network.internet" -}}
- ports:
    - { port: 443, protocol: TCP }
  to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except: {{- toYaml .Values.networkPolicy.privateRanges | nindent 10 }}
{{- if and .Values.quickstart.enabled .Values.quickstart.simulators.enabled }}
{{ include "autoposter.network.toComponent" (dict "root" . "component" "simulators" "ports" (list 4001 4002 4003 4004 4005 4006 4007 4008)) }}
{{- end }}
{{- end -}}

{{/* Of a worker, as in _stage.tpl; internet says whether it asks anything outside. */}}
{{- define "autoposter.worker.networkPolicy" -}}
{{- if .root.Values.networkPolicy.enabled }}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "autoposter.fullname" .root }}-{{ .app }}
  labels: {{- include "autoposter.worker.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels: {{- include "autoposter.selector" (dict "root" .root "component" .app) | nindent 6 }}
  policyTypes: [Ingress, Egress]
  {{- with .root.Values.networkPolicy.metricsFrom }}
  ingress:
    - ports:
        - { port: 9100, protocol: TCP }
      from: {{- toYaml . | nindent 8 }}
  {{- else }}
  ingress: []
  {{- end }}
  egress:
    {{- include "autoposter.network.systems" .root | nindent 4 }}
    {{- if .internet }}
    {{- include "autoposter.network.internet" .root | nindent 4 }}
    {{- end }}
{{- end }}
{{- end -}}
