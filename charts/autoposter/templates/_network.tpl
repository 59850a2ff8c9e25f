{{/* One rule from peers and ports. An empty list of peers would allow any address; "autoposter.validate" refuses it. Parameters: to, ports. */}}
{{- define "autoposter.network.to" -}}
- ports:
    {{- range .ports }}
    - port: {{ . }}
      protocol: TCP
    {{- end }}
  to: {{- toYaml .to | nindent 4 }}
{{- end -}}

{{/* To pods of this release. Parameters: root, component, ports. */}}
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

{{- define "autoposter.network.dns" -}}
- ports:
    {{- range .Values.networkPolicy.dns.ports }}
    - { port: {{ . }}, protocol: UDP }
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  to: {{- toYaml .Values.networkPolicy.dns.to | nindent 4 }}
{{- end -}}

{{/* Names of the systems outside of this release, as a JSON list; the network policy needs their peers. */}}
{{- define "autoposter.network.outside" -}}
{{- $outside := list -}}
{{- if or (not .Values.quickstart.enabled) .Values.database.existingSecret }}{{ $outside = append $outside "database" }}{{ end -}}
{{- if or (not .Values.quickstart.enabled) .Values.kafka.brokers }}{{ $outside = append $outside "kafka" }}{{ end -}}
{{- if or (not .Values.quickstart.enabled) .Values.objectStore.endpoint }}{{ $outside = append $outside "objectStore" }}{{ end -}}
{{- if .Values.tracing.endpoint }}{{ $outside = append $outside "tracing" }}{{ end -}}
{{ toJson $outside }}
{{- end -}}

{{/* DNS and the systems that every service uses. */}}
{{- define "autoposter.network.systems" -}}
{{- include "autoposter.validate" . -}}
{{- $policy := .Values.networkPolicy -}}
{{- $outside := include "autoposter.network.outside" . | fromJsonArray -}}
{{ include "autoposter.network.dns" . }}
{{- range $system, $inside := dict "database" (list "postgres" 5432) "kafka" (list "kafka" 9092) "objectStore" (list "minio" 9000) }}
{{- if has $system $outside }}
{{ include "autoposter.network.to" (index $policy $system) }}
{{- else }}
{{ include "autoposter.network.toComponent" (dict "root" $ "component" (first $inside) "ports" (list (last $inside))) }}
{{- end }}
{{- end }}
{{- if has "tracing" $outside }}
{{ include "autoposter.network.to" $policy.tracing }}
{{- end }}
{{- end -}}

{{/* The internet over https, without private ranges. */}}
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

{{/* Peers that may read the management port; by default none. Kubernetes always allows probes from the node. */}}
{{- define "autoposter.network.metrics" -}}
{{- with .Values.networkPolicy.metricsFrom }}
- ports:
    - { port: 9100, protocol: TCP }
  from: {{- toYaml . | nindent 4 }}
{{- end }}
{{- end -}}

{{/* Network policy of a worker, as in _stage.tpl. Parameter internet: whether it needs internet access. */}}
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
  {{- with include "autoposter.network.metrics" .root | trim }}
  ingress:
    {{- . | nindent 4 }}
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
