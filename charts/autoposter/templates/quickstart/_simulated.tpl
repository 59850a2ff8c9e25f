{{/* What the simulated systems accept: the same in every run, and of no use elsewhere. */}}
{{- define "autoposter.simulated.secrets" -}}
GOOGLE_CLIENT_ID: 420000000042-simulated.apps.googleusercontent.com
GOOGLE_CLIENT_SECRET: GOCSPX-sim-google-secret
REDDIT_CLIENT_ID: sim-reddit-client
REDDIT_CLIENT_SECRET: sim-reddit-secret
INSTAGRAM_ACCESS_TOKEN: EAASsimulatedFacebookLoginTokenForTheAutoposterDemoAccount00000000000000000000000000000000001
INSTAGRAM_BUSINESS_ACCOUNT_ID: "17841400000000042"
INSTAGRAM_APP_ID: "990000000000042"
INSTAGRAM_APP_SECRET: sim-instagram-app-secret
GEMINI_API_KEY: AIzaSySimulatedGeminiKey000000000000042
GROQ_API_KEY: gsk_simulatedGroqKey0000000000000000000000000000000042
{{- end -}}

{{/* A value that this release has made before, else a new one: an upgrade keeps it. Takes root, secret, key. */}}
{{- define "autoposter.kept" -}}
{{- $secret := lookup "v1" "Secret" .root.Release.Namespace .secret | default dict -}}
{{- with index ($secret.data | default dict) .key -}}
{{ . | b64dec }}
{{- else -}}
{{ randAlphaNum 40 }}
{{- end -}}
{{- end -}}

{{/* What every pod of quickstart shares. Takes root, component and user. */}}
{{- define "autoposter.quickstart.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  runAsGroup: {{ .user }}
  fsGroup: {{ .user }}
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{- define "autoposter.quickstart.labels" -}}
{{ include "autoposter.labels" (dict "root" .root "component" .component "partOf" (printf "%s-quickstart" .root.Chart.Name)) }}
{{- end -}}

{{/* One service and the head of its StatefulSet. Takes root, component, port and size. */}}
{{- define "autoposter.quickstart.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "autoposter.fullname" .root }}-{{ .component }}
  labels: {{- include "autoposter.quickstart.labels" . | nindent 4 }}
spec:
  selector: {{- include "autoposter.selector" . | nindent 4 }}
  ports:
    {{- range .ports }}
    - name: port-{{ . }}
      port: {{ . }}
      targetPort: {{ . }}
    {{- end }}
{{- end -}}

{{- define "autoposter.quickstart.statefulSetHead" -}}
serviceName: {{ include "autoposter.fullname" .root }}-{{ .component }}
replicas: 1
selector:
  matchLabels: {{- include "autoposter.selector" . | nindent 4 }}
persistentVolumeClaimRetentionPolicy:
  whenDeleted: {{ .root.Values.quickstart.keepData | ternary "Retain" "Delete" }}
  whenScaled: Retain
volumeClaimTemplates:
  - metadata:
      name: data
      labels: {{- include "autoposter.selector" . | nindent 8 }}
    spec:
      accessModes: [ReadWriteOnce]
      resources:
        requests:
          storage: {{ .size }}
{{- end -}}
