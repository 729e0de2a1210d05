"""Django's admin with a team in it, and one fault if one is named: `django_site.py PORT FOLDER [FAULT]`."""

import os
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command, execute_from_command_line

PORT, FOLDER, FAULT = sys.argv[1], Path(sys.argv[2]), (sys.argv[3:] or [""])[0]
os.environ["DJANGO_RUNSERVER_HIDE_WARNING"] = "true"
settings.configure(
    DEBUG=True,
    SECRET_KEY="for tests alone",
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["127.0.0.1"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": FOLDER / "team.sqlite3"}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=[
        f"django.contrib.{name}" for name in ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ],
    STATIC_URL="/static/",
)
django.setup()

from django.contrib import admin, messages  # noqa: E402 - after the settings
from django.contrib.auth.models import User  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.urls import path  # noqa: E402


class Member(models.Model):
    """Somebody of the team."""

    name = models.CharField(max_length=40)
    role = models.CharField(max_length=20, choices=[(it, it) for it in ("Developer", "Designer", "Tester")])
    active = models.BooleanField(default=False)

    class Meta:
        app_label = "auth"

    def __str__(self) -> str:
        return self.name


class MemberAdmin(admin.ModelAdmin):
    """The team, with the fault that is asked for."""

    list_display = ("name", "role", "active")
    search_fields = ("name",)
    ordering = ("id",)

    def save_model(self, request, obj, form, change):  # noqa: ANN001, ANN201 - as Django calls it
        """Store a member."""
        if FAULT == "save-lost" and not change:
            obj.pk = 99
            return
        if FAULT == "save-cuts-name":
            obj.name = obj.name[:-1]
        if FAULT == "save-forgets-role":
            obj.role = "Developer"
        if FAULT == "save-forgets-active":
            obj.active = False
        super().save_model(request, obj, form, change)

    def get_search_results(self, request, queryset, search_term):  # noqa: ANN001, ANN201
        """Find members."""
        if FAULT == "search-ignored":
            return queryset, False
        if FAULT == "search-finds-none" and search_term:
            return queryset.none(), False
        return super().get_search_results(request, queryset, search_term)

    def delete_queryset(self, request, queryset):  # noqa: ANN001, ANN201
        """Remove members."""
        if FAULT == "delete-dead":
            return
        if FAULT == "delete-another":
            Member.objects.exclude(pk__in=queryset).first().delete()
            return
        super().delete_queryset(request, queryset)

    def message_user(self, request, message, *args, **kwargs):  # noqa: ANN001, ANN002, ANN003, ANN201
        """Tell what was done."""
        if FAULT == "says-nothing":
            return
        said = "Something went wrong" if FAULT == "says-wrong" else message
        messages.success(request, said)


admin.site.register(Member, MemberAdmin)
urlpatterns = [path("admin/", admin.site.urls)]

call_command("migrate", verbosity=0)
with connection.schema_editor() as editor:
    editor.create_model(Member)
User.objects.create_superuser("ada", password="for tests")
for name, role, active in (("Grace", "Developer", True), ("Linus", "Tester", False), ("Ada", "Designer", True)):
    Member.objects.create(name=name, role=role, active=active)
execute_from_command_line(["", "runserver", f"127.0.0.1:{PORT}", "--noreload", "--nothreading"])
